// FilterFields are the conditions of a filter, a few fields each.

import { useEffect, useRef } from "preact/hooks";
import { emptyCondition, filterOperators, standsAlone, type Condition, type FilterOperator, type OperandType } from "../../api/filter";
import { typeNames } from "../../api/typed";
import type { TypeName } from "../../api/values";
import { Button, Choice, Select, TextField } from "../../components/controls";
import { useNewRow } from "../../components/new_row";
import { ValueField } from "../../components/value_field";
import { t } from "../../i18n";
import type { Draft } from "../../state/draft";
import { faultText, type DraftFault } from "../../state/draft_faults";

interface Props {
  draft: Draft;
  paths: Map<string, TypeName>;
  faults: DraftFault[]; // that somebody was told of
  change: (to: Partial<Draft>) => void;
  legend?: string; // what the conditions are, if not those of a filter
}

export function FilterFields({ draft, paths, faults, change, legend }: Props) {
  const added = useNewRow(draft.filter.length);
  const set = (i: number, to: Condition) => change({ filter: draft.filter.map((c, at) => (at === i ? to : c)) });
  return (
    <fieldset class="filters">
      <legend>
        {legend ?? t("query.filter")}
        {draft.filter.length > 1 && (
          <Choice
            label={t("query.join")}
            value={draft.any ? "any" : "all"}
            options={[{ value: "all", text: "AND" }, { value: "any", text: "OR" }]}
            onChange={(to) => change({ any: to === "any" })}
          />
        )}
      </legend>
      {draft.filter.map((c, i) => (
        <ConditionFields
          key={i}
          at={i + 1}
          condition={c}
          paths={paths}
          error={faultText(faults, "filter", i)}
          onChange={(to) => set(i, to)}
          onRemove={() => change({ filter: draft.filter.filter((_, at) => at !== i) })}
        />
      ))}
      <Button
        icon="plus"
        kind="quiet"
        onClick={(e) => {
          added(e);
          change({ filter: [...draft.filter, emptyCondition] });
        }}
      >
        {t("query.addCondition")}
      </Button>
    </fieldset>
  );
}

interface ConditionProps {
  at: number; // from 1
  condition: Condition;
  paths: Map<string, TypeName>;
  error: string;
  onChange: (to: Condition) => void;
  onRemove: () => void;
}

function ConditionFields({ at, condition, paths, error, onChange, onRemove }: ConditionProps) {
  const set = (to: Partial<Condition>) => onChange({ ...condition, ...to });
  const { op } = condition;
  const types = operandTypes(op);
  const awaits = useRef(false); // an attribute was named here, and nobody has chosen a type for it
  useEffect(() => { // what items have may be known later than somebody writes
    const type = paths.get(condition.path.trim());
    if (awaits.current && type && type !== condition.type && types.includes(type)) set({ type });
  }, [paths]);
  const setPath = (path: string) => {
    awaits.current = true;
    const type = paths.get(path.trim()); // an attribute that items have brings its type
    set({ path, ...(type && condition.value === "" && types.includes(type) ? { type } : {}) });
  };
  const setOperator = (to: FilterOperator) => {
    const possible = operandTypes(to);
    set({ op: to, ...(possible.length > 0 && !possible.includes(condition.type) ? { type: possible[0]! } : {}) });
  };
  const value = (label: string, of: "value" | "to") => (
    <ValueField
      label={label}
      type={condition.type}
      value={condition[of] ?? ""}
      types={of === "to" ? [condition.type] : types}
      onType={(type) => {
        awaits.current = false;
        set({ type });
      }}
      onValue={(text) => set({ [of]: text })}
      {...(condition.type === "path" ? { list: [...paths.keys()] } : {})}
    />
  );
  return (
    <div class="condition">
      <div class="line">
        <TextField label={t("query.attribute", { at })} hideLabel placeholder={t("query.path")} value={condition.path} onInput={setPath} error={error} mono list={[...paths.keys()]} />
        <Select
          label={t("query.operator", { at })}
          hideLabel
          value={op}
          options={filterOperators.map((one) => ({ value: one, text: ["between", "in"].includes(one) ? one.toUpperCase() : one }))}
          onChange={setOperator}
        />
      </div>
      <div class="line">
        {op === "attribute_type" && (
          <Select label={t("query.value", { at })} hideLabel value={condition.value || "S"} options={typeNames.map((one) => ({ value: one, text: t(`type.${one}`) }))} onChange={(to) => set({ value: to })} />
        )}
        {op !== "attribute_type" && !standsAlone(op) && value(t("query.value", { at }), "value")}
        <Button kind="quiet" pressed={condition.not ?? false} onClick={() => set({ not: !condition.not })}>NOT</Button>
        <Button icon="close" kind="quiet" label={t("query.removeCondition", { at })} onClick={onRemove} />
      </div>
      {op === "between" && <div class="line end">{value(t("query.valueEnd", { at }), "to")}</div>}
    </div>
  );
}

// operandTypes returns what an operator can compare with.
function operandTypes(op: FilterOperator): OperandType[] {
  if (op.startsWith("size ")) return ["N", "path"];
  if (op === "begins_with") return ["S", "B", "path"];
  if (op === "attribute_type" || standsAlone(op)) return [];
  if (["<", "<=", ">", ">=", "between"].includes(op)) return ["S", "N", "B", "path"];
  if (op === "in") return ["S", "N", "B", "path"];
  return [...typeNames, "path"];
}
