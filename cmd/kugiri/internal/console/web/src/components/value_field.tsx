// ValueField takes a value: a text for it, and its type, which stands before it and which the Tab key comes to later.

import type { OperandType } from "../api/filter";
import { typeNames } from "../api/typed";
import { t } from "../i18n";
import { Select, TextField } from "./controls";

interface Props {
  label: string;
  type: OperandType;
  value: string;
  types?: OperandType[]; // to choose from, the only one if there is one
  list?: string[]; // proposals
  onType: (type: OperandType) => void;
  onValue: (text: string) => void;
}

export function ValueField({ label, type, value, types = typeNames, list, onType, onValue }: Props) {
  return (
    <div class="value-field">
      {type === "BOOL" ? (
        <Select label={label} hideLabel value={value === "true" ? "true" : "false"} options={["true", "false"].map((one) => ({ value: one, text: one }))} onChange={onValue} />
      ) : (
        type !== "NULL" && <TextField key={type} label={label} hideLabel placeholder={placeholders[type] ?? ""} value={value} onInput={onValue} mono {...(list ? { list } : {})} />
      )}
      {types.length > 1 && (
        <Select
          label={t("value.typeOf", { name: label })}
          hideLabel
          value={type}
          options={types.map((one) => ({ value: one, text: one === "path" ? t("value.path") : t(`type.${one}`) }))}
          onChange={onType}
        />
      )}
    </div>
  );
}

const placeholders: { [type: string]: string } = {
  B: "base64", SS: "a, b", NS: "1, 2.5", BS: "base64, base64", L: '[{"S":"a"}]', M: '{"a":{"S":"b"}}', path: "address.city",
};
