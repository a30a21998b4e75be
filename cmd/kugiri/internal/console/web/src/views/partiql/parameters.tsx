// ParameterFields take a value for each question mark.

import { ValueField } from "../../components/value_field";
import { t } from "../../i18n";
import type { Parameter } from "../../state/partiql";

interface Props {
  wanted: number;
  parameters: Parameter[];
  onChange: (parameters: Parameter[]) => void;
}

const none: Parameter = { type: "S", value: "" };

export function ParameterFields({ wanted, parameters, onChange }: Props) {
  if (wanted === 0) return null;
  const all = Array.from({ length: wanted }, (_, i) => parameters[i] ?? none);
  const set = (at: number, to: Partial<Parameter>) => onChange(all.map((p, i) => (i === at ? { ...p, ...to } : p)));
  return (
    <fieldset class="parameters">
      <legend>{t("partiql.parameters")}</legend>
      {all.map((p, i) => (
        <ValueField key={i} label={t("partiql.parameter", { at: i + 1 })} type={p.type} value={p.value} onType={(type) => set(i, { type })} onValue={(value) => set(i, { value })} />
      ))}
    </fieldset>
  );
}
