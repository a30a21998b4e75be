// Why a Query or Scan costs what it does, and what would cost less.

import type { Cost } from "../api/cost";
import type { TableDescription } from "../api/dynamodb";
import type { Condition } from "../api/filter";
import { parsePath } from "../api/paths";
import { partitionKeys, sortKeys, sourcesOf, typeOf, type Source } from "../api/schema";
import { t } from "../i18n";
import type { Draft, SortCondition } from "./draft";
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

function scanAdvice({ table, draft }: Known): Advice {
  const why = t("advice.scan");
  if (draft.request) return { why, remedy: t("advice.scanRemedy") };
  const found = asQuery(table, draft);
  if (found) return { why, remedy: found.index ? t("advice.useIndex", { index: found.index }) : t("advice.useKey"), change: found };
  const equal = draft.any ? undefined : draft.filter.find((c) => c.op === "=" && !c.not && c.type !== "path");
  return { why, remedy: equal ? t("advice.addIndex", { attribute: equal.path }) : t("advice.scanRemedy") };
}

function filterAdvice({ source, draft, request, cost }: Known): Advice {
  const why = t("advice.filter", { percent: Math.round((100 * (cost.evaluated - cost.returned)) / cost.evaluated) });
  const attribute = draft.filter[0]?.path;
  if (request.operation === "Scan" || draft.request || !attribute) return { why };
  return { why, remedy: t("advice.filterRemedy", { partition: partitionKeys(source.keys).join(", "), attribute }) };
}

// asQuery returns a draft that reads what the filter of a Scan looks for by the key of the table or
// of an index, if there is such a key.
function asQuery(table: TableDescription, draft: Draft): Draft | undefined {
  if (draft.any) return undefined;
  for (const source of sourcesOf(table)) {
    const keys = partitionKeys(source.keys).map((name) => draft.filter.find((c) => c.op === "=" && isOf(c, table, name)));
    if (keys.length === 0 || !keys.every((c) => c !== undefined)) continue;
    const sortKey = sortKeys(source.keys)[0];
    const sort = sortKey ? draft.filter.find((c) => isOf(c, table, sortKey) && operators.includes(c.op as Operator)) : undefined;
    return {
      ...draft,
      index: source.index ?? "",
      partition: draft.partition.map((_, i) => keys[i]?.value ?? ""),
      sort: draft.sort.map((_, i) => (i === 0 && sort ? sortOf(sort) : { op: "=", value: "", to: "" })),
      filter: draft.filter.filter((c) => c !== sort && !keys.includes(c)),
      consistent: draft.consistent && source.kind !== "global",
    };
  }
  return undefined;
}

const sortOf = (c: Condition): SortCondition => ({ op: c.op as Operator, value: c.value, to: c.to ?? "" });

// isOf reports whether a condition compares an attribute with a value of the type that keys have.
function isOf(c: Condition, table: TableDescription, name: string): boolean {
  if (c.not || c.type !== typeOf(table, name) || c.value === "") return false;
  try {
    const path = parsePath(c.path);
    return path.length === 1 && path[0] === name;
  } catch {
    return false; // the path is not written to its end yet
  }
}
