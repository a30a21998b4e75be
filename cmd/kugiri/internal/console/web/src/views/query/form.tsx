// QueryForm is the form of a Query or Scan: source, key, filter, and what is returned.

import type { TableDescription } from "../../api/dynamodb";
import { partitionKeys, sortKeys, sourcesOf, typeOf, type Source } from "../../api/schema";
import type { TypeName } from "../../api/values";
import { Check, Choice, Select, TextField } from "../../components/controls";
import { ToList } from "../../components/to_list";
import { bytes, t } from "../../i18n";
import { hasPartition, type Draft, type SortCondition } from "../../state/draft";
import { faultText, type DraftFault } from "../../state/draft_faults";
import { operators } from "../../state/read";
import { FilterFields } from "./filter_fields";
import { PathList } from "./path_list";

interface Props {
  table: TableDescription;
  source: Source;
  draft: Draft;
  paths: Map<string, TypeName>; // of attributes that items have
  faults: DraftFault[]; // that somebody was told of
  change: (to: Partial<Draft>) => void;
  pending: string; // an attribute to return that is not added yet
  onPending: (text: string) => void;
}

export function QueryForm({ table, source, draft, paths, faults, change, pending, onPending }: Props) {
  const isQuery = hasPartition(draft, source);
  return (
    <>
      <Select
        label={t("items.source")}
        value={source.index ?? ""}
        options={sourcesOf(table).filter((s) => s.keys.length > 0).map((s) => ({ value: s.index ?? "", text: s.index ? `${t(`source.${s.kind}`)}: ${s.index}` : t("source.table") }))}
        onChange={(index) => change({ index, partition: draft.partition.map(() => ""), sort: draft.sort.map((s) => ({ ...s, value: "", to: "" })), consistent: false })}
      />
      <KeyFields table={table} source={source} draft={draft} faults={faults} change={change} />
      {!isQuery && <ScanNote table={table} source={source} draft={draft} faults={faults} change={change} />}
      <FilterFields draft={draft} paths={paths} faults={faults} change={change} />
      <PathList paths={draft.attributes} known={[...paths.keys()]} pending={pending} fault={faultText(faults, "attributes", 0)} onPending={onPending} onChange={(attributes) => change({ attributes })} />
      <div class="pair">
        <TextField label={t("query.limit")} placeholder={t("query.noLimit")} value={draft.limit} onInput={(limit) => change({ limit })} />
        {isQuery && (
          <div class="field">
            <span class="label">{t("query.order")}</span>
            <Choice
              label={t("query.order")}
              value={draft.descending ? "desc" : "asc"}
              options={[{ value: "asc", text: t("query.ascending") }, { value: "desc", text: t("query.descending") }]}
              onChange={(to) => change({ descending: to === "desc" })}
            />
          </div>
        )}
      </div>
      {source.kind !== "global" && <Check label={t("query.consistent")} checked={draft.consistent} onChange={(consistent) => change({ consistent })} />}
    </>
  );
}

type KeyProps = Omit<Props, "paths" | "pending" | "onPending">;

function KeyFields({ table, source, draft, faults, change }: KeyProps) {
  const setPartition = (i: number, to: string) => change({ partition: draft.partition.map((v, at) => (at === i ? to : v)) });
  const setSort = (i: number, to: Partial<SortCondition>) => change({ sort: draft.sort.map((v, at) => (at === i ? { ...v, ...to } : v)) });
  return (
    <>
      {partitionKeys(source.keys).map((name, i) => (
        <TextField
          key={name}
          label={t("items.partition", { key: name })}
          placeholder={t(`type.${typeOf(table, name) as "S"}`)}
          value={draft.partition[i] ?? ""}
          error={faultText(faults, "partition", i)}
          onInput={(to) => setPartition(i, to)}
          mono
        />
      ))}
      {sortKeys(source.keys).map((name, i) => (
        <SortField key={name} name={name} type={typeOf(table, name)} condition={draft.sort[i]!} error={faultText(faults, "sort", i)} endError={faultText(faults, "end", i)} onChange={(to) => setSort(i, to)} />
      ))}
      <ToList />
    </>
  );
}

interface SortProps {
  name: string;
  type: string;
  condition: SortCondition;
  error: string;
  endError: string;
  onChange: (to: Partial<SortCondition>) => void;
}

function SortField({ name, type, condition, error, endError, onChange }: SortProps) {
  const possible = operators.filter((o) => o !== "begins_with" || type !== "N");
  return (
    <div class="operation">
      <span class="label" aria-hidden="true">{t("items.sort", { key: name })}</span>
      <Select
        label={t("query.operatorOf", { name })}
        hideLabel
        value={condition.op}
        options={possible.map((o) => ({ value: o, text: o === "between" ? "BETWEEN" : o }))}
        onChange={(op) => onChange({ op })}
      />
      <TextField label={t("items.sort", { key: name })} hideLabel placeholder={t(`type.${type as "S"}`)} value={condition.value} error={error} onInput={(value) => onChange({ value })} mono />
      {condition.op === "between" && <TextField label={t("items.sortEnd", { key: name })} hideLabel placeholder={t("query.and")} value={condition.to} error={endError} onInput={(to) => onChange({ to })} mono />}
    </div>
  );
}

// ScanNote says what a Scan reads, and takes the number of its segments.
function ScanNote({ table, source, draft, change }: KeyProps) {
  const index = [...(table.LocalSecondaryIndexes ?? []), ...(table.GlobalSecondaryIndexes ?? [])].find((one) => one.IndexName === source.index);
  const [items, size] = index ? [index.ItemCount, index.IndexSizeBytes] : [table.ItemCount, table.TableSizeBytes];
  return (
    <div class="scan-note" role="note">
      <p>{t("query.scan", { source: source.index ?? table.TableName, count: items ?? 0, size: bytes(size ?? 0) })}</p>
      <TextField label={t("query.segments")} placeholder="1" value={draft.segments} onInput={(segments) => change({ segments })} />
    </div>
  );
}
