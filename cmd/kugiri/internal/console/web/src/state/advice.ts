// Why a Query or Scan costs what it does, and what would cost less.

import type { Cost } from "../api/cost";
import type { TableDescription } from "../api/dynamodb";
import type { Condition } from "../api/filter";
import { parsePath, writePath } from "../api/paths";
import { indexesOf, partitionKeys, sortKeys, sourcesOf, typeOf, type Source } from "../api/schema";
import type { TypeName } from "../api/values";
import { t } from "../i18n";
import { maxKeys, type Draft, type SortCondition } from "./draft";
import { operators, type Operator, type Request } from "./read";

export interface Advice {
  why: string;
  remedy?: string;
  change?: Partial<Draft>; // what the remedy changes in the form
}

interface Known {
  table: TableDescription;
  source: Source;
  draft: Draft;
  request: Request;
  cost: Cost;
}

/** What is to be said of a read, the costliest first. */
export function adviceFor(known: Known): Advice[] {
  const input = known.request.input as { ConsistentRead?: boolean; FilterExpression?: string; ProjectionExpression?: string; Limit?: number };
  const { cost, source, request } = known;
  const list: Advice[] = [];
  if (request.operation === "Scan") list.push(scanAdvice(known));
  if (input.FilterExpression && cost.returned < cost.evaluated) list.push(filterAdvice(known));
  if (source.index && cost.tableUnits > 0) list.push({ why: t("advice.fetched", { index: source.index }), remedy: t("advice.fetchedRemedy") });
  if (input.ConsistentRead) list.push({ why: t("advice.consistent"), remedy: t("advice.consistentRemedy"), change: { consistent: false } });
  if (input.ProjectionExpression) list.push({ why: t("advice.projection"), remedy: t("advice.projectionRemedy") });
  if (cost.more) list.push({ why: input.Limit ? t("advice.limit", { count: input.Limit }) : t("advice.more") });
  return list;
}

function scanAdvice(known: Known): Advice {
  const why = t("advice.scan");
  const { draft } = known;
  if (draft.request) return { why, remedy: t("advice.scanRemedy") };
  const better = byAnotherKey(known);
  if (better) return { why, ...better };
  const equal = draft.any ? undefined : draft.filter.find((c) => c.op === "=" && !c.not && c.type !== "path");
  return { why, remedy: equal ? t("advice.addIndex", { attribute: equal.path }) : t("advice.scanRemedy") };
}

function filterAdvice(known: Known): Advice {
  const { source, draft, request, cost } = known;
  const why = t("advice.filter", { percent: Math.round((100 * (cost.evaluated - cost.returned)) / cost.evaluated) });
  const attribute = draft.filter[0]?.path;
  if (request.operation === "Scan" || draft.request || !attribute) return { why };
  return { why, ...(byAnotherKey(known) ?? { remedy: t("advice.filterRemedy", { partition: partitionKeys(source.keys).join(", "), attribute }) }) };
}

// byAnotherKey returns the remedy that reads by the key of the table or of an index what the filter
// looks for, if there is such a key.
function byAnotherKey(known: Known): { remedy: string; change: Draft } | undefined {
  const { table, draft, source } = known;
  if (draft.any) return undefined;
  const conditions = [...keyConditions(known), ...draft.filter];
  for (const other of sourcesOf(table)) {
    const found = readBy(other, table, conditions);
    if (!found || !found.used.some((c) => draft.filter.includes(c)) || (other.index === source.index && known.request.operation === "Query")) continue;
    const change = { ...draft, ...found.keys, index: other.index ?? "", filter: conditions.filter((c) => !found.used.includes(c)), consistent: draft.consistent && other.kind !== "global" };
    return { remedy: remedyOf(table, other), change };
  }
  return undefined;
}

function remedyOf(table: TableDescription, { index }: Source): string {
  if (!index) return t("advice.useKey");
  const all = indexesOf(table).find((one) => one.IndexName === index)?.Projection?.ProjectionType === "ALL";
  return t("advice.useIndex", { index }) + (all ? "" : " " + t("advice.someAttributes"));
}

// keyConditions are the conditions of the key of a Query, in the form of those of a filter.
function keyConditions({ table, source, draft, request }: Known): Condition[] {
  if (request.operation !== "Query") return [];
  const condition = (name: string, op: Operator, value: string, to: string): Condition => ({ path: writePath([name]), op, type: typeOf(table, name) as TypeName, value, to });
  return [
    ...partitionKeys(source.keys).map((name, i) => condition(name, "=", draft.partition[i]!, "")),
    ...sortKeys(source.keys).map((name, i) => condition(name, draft.sort[i]!.op, draft.sort[i]!.value, draft.sort[i]!.to)).filter((c) => c.value !== ""),
  ];
}

interface KeyRead {
  keys: Pick<Draft, "partition" | "sort">;
  used: Condition[];
}

// readBy returns how some of the conditions become those of a source's key: undefined if they do not,
// or if the source lacks what the others need.
function readBy(source: Source, table: TableDescription, conditions: Condition[]): KeyRead | undefined {
  const partition = partitionKeys(source.keys).map((name) => conditions.find((c) => c.op === "=" && isOf(c, table, name)));
  if (partition.length === 0 || !partition.every((c) => c !== undefined)) return undefined;
  const sortKey = sortKeys(source.keys)[0];
  const sort = sortKey ? conditions.find((c) => isOf(c, table, sortKey) && operators.includes(c.op as Operator)) : undefined;
  const used = [...partition, ...(sort ? [sort] : [])];
  const rest = conditions.filter((c) => !used.includes(c)).map((c) => firstName(c));
  const keys = source.keys.map((k) => k.AttributeName);
  if (rest.some((name) => name === undefined || keys.includes(name) || !has(table, source, name))) return undefined;
  const each = Array.from({ length: maxKeys }, (_, i) => i);
  return {
    used,
    keys: {
      partition: each.map((i) => partition[i]?.value ?? ""),
      sort: each.map((i) => (i === 0 && sort ? sortOf(sort) : { op: "=", value: "", to: "" })),
    },
  };
}

// has reports whether the items of a source have an attribute of the table.
function has(table: TableDescription, source: Source, name: string): boolean {
  const projection = indexesOf(table).find((one) => one.IndexName === source.index)?.Projection;
  if (!source.index || projection?.ProjectionType === "ALL") return true;
  return table.KeySchema.some((k) => k.AttributeName === name) || (projection?.NonKeyAttributes ?? []).includes(name);
}

const sortOf = (c: Condition): SortCondition => ({ op: c.op as Operator, value: c.value, to: c.to ?? "" });

// isOf reports whether a condition compares an attribute with a value of the type that keys have.
function isOf(c: Condition, table: TableDescription, name: string): boolean {
  return !c.not && c.type === typeOf(table, name) && c.value !== "" && c.path.trim() === writePath([name]);
}

// firstName returns the attribute that a condition is about, undefined if its path is not written to
// its end yet.
function firstName(c: Condition): string | undefined {
  try {
    return String(parsePath(c.path)[0]);
  } catch {
    return undefined;
  }
}
