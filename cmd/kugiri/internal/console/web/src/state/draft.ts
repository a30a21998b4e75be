// The draft of a Query or Scan, as the form shows it and the address keeps it. The names of the
// partition's and of the first sort key's parameters are those of the items' address.

import type { TableDescription } from "../api/dynamodb";
import { conditionText, type Condition } from "../api/filter";
import { Placeholders } from "../api/placeholders";
import { partitionKeys, sortKeys, typeOf, type Source } from "../api/schema";
import { typedValue } from "../api/typed";
import type { TypeName } from "../api/values";
import { t } from "../i18n";
import type { Operator, Request } from "./read";
import type { Query } from "./route";

export interface SortCondition {
  op: Operator;
  value: string;
  to: string; // the end of BETWEEN
}

export interface Draft {
  index: string; // "" for the table
  partition: string[];
  sort: SortCondition[];
  filter: Condition[];
  any: boolean; // one condition of the filter is enough
  attributes: string[]; // paths to return, none for all
  descending: boolean;
  consistent: boolean;
  limit: string;
  segments: string;
  request: string; // the request's JSON, if it was written by hand
}

/** How many attributes a partition key can have, and a sort key. */
export const maxKeys = 4;

/** The draft that an address describes. */
export function draftOf(query: URLSearchParams): Draft {
  const get = (name: string) => query.get(name) ?? "";
  const each = Array.from({ length: maxKeys }, (_, i) => i);
  return {
    index: get("index"),
    partition: each.map((i) => get(`p${i}`)),
    sort: each.map((i) => ({ op: (get("op" + suffix(i)) || "=") as Operator, value: get("s" + suffix(i)), to: get("s2" + suffix(i)) })),
    filter: list<Condition>(get("filter")).filter((c) => typeof c.path === "string"),
    any: query.has("any"),
    attributes: list<string>(get("attributes")).filter((one) => typeof one === "string"),
    descending: query.has("desc"),
    consistent: query.has("consistent"),
    limit: get("limit"),
    segments: get("segments"),
    request: get("request"),
  };
}

/** The parameters of the address for a draft. Those of what it does not have are undefined. */
export function draftQuery(d: Draft): Query {
  const query: Query = {
    index: d.index,
    filter: d.filter.length ? JSON.stringify(d.filter) : undefined,
    any: d.any ? "1" : undefined,
    attributes: d.attributes.length ? JSON.stringify(d.attributes) : undefined,
    desc: d.descending ? "1" : undefined,
    consistent: d.consistent ? "1" : undefined,
    limit: d.limit,
    segments: d.segments,
    request: d.request,
  };
  d.partition.forEach((value, i) => (query[`p${i}`] = value));
  d.sort.forEach((s, i) => {
    query["op" + suffix(i)] = s.value && s.op !== "=" ? s.op : undefined;
    query["s" + suffix(i)] = s.value;
    query["s2" + suffix(i)] = s.value && s.op === "between" ? s.to : undefined;
  });
  return query;
}

const suffix = (i: number) => (i === 0 ? "" : `_${i}`);

function list<T>(text: string): T[] {
  const value = parsed(text);
  return Array.isArray(value) ? (value as T[]) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a draft has a value for each attribute of the partition key. */
export function hasPartition(d: Draft, source: Source): boolean {
  return partitionKeys(source.keys).every((_, i) => d.partition[i] !== "");
}

/** The request of a draft. It throws an error if a field cannot be read. */
export function requestOfDraft(table: TableDescription, source: Source, d: Draft): Request {
  if (d.request) return parseRequest(d.request);
  const to = new Placeholders();
  const isQuery = hasPartition(d, source);
  const key = isQuery ? { KeyConditionExpression: keyCondition(table, source, d, to) } : {};
  const filter = d.filter.filter((c) => c.path.trim() !== "").map((c) => conditionText(c, to));
  const input = {
    TableName: table.TableName,
    ...(source.index ? { IndexName: source.index } : {}),
    ...key,
    ...(filter.length ? { FilterExpression: filter.join(d.any ? " OR " : " AND ") } : {}),
    ...(d.attributes.length ? { ProjectionExpression: d.attributes.map((one) => to.path(one)).join(", ") } : {}),
    ...to.members(),
    ...(d.limit ? { Limit: countOf(d.limit) } : {}),
    ...(!isQuery && d.segments ? { Segment: 0, TotalSegments: countOf(d.segments) } : {}),
    ...(d.consistent ? { ConsistentRead: true } : {}),
    ...(isQuery && d.descending ? { ScanIndexForward: false } : {}),
  };
  return { operation: isQuery ? "Query" : "Scan", input };
}

function countOf(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text.trim())) throw new Error(t("query.notCount", { text }));
  return Number(text);
}

/** The request that was written by hand: a Query if it has a condition of the key. */
export function parseRequest(text: string): Request {
  const input = parsed(text);
  if (typeof input !== "object" || input === null || Array.isArray(input)) throw new Error(t("query.notRequest"));
  const isQuery = "KeyConditionExpression" in input || "KeyConditions" in input;
  return { operation: isQuery ? "Query" : "Scan", input };
}

function keyCondition(table: TableDescription, source: Source, d: Draft, to: Placeholders): string {
  const valueOf = (name: string, text: string) => to.value(quoted(name), typedValue(typeOf(table, name) as TypeName, text));
  const conditions = partitionKeys(source.keys).map((name, i) => `${to.name(name)} = ${valueOf(name, d.partition[i]!)}`);
  for (const [i, name] of sortKeys(source.keys).entries()) {
    const { op, value, to: end } = d.sort[i]!;
    if (value === "") break; // a sort key of several attributes is given from its beginning
    const path = to.name(name);
    if (op === "between") conditions.push(`${path} BETWEEN ${valueOf(name, value)} AND ${valueOf(name, end)}`);
    else if (op === "begins_with") conditions.push(`begins_with(${path}, ${valueOf(name, value)})`);
    else conditions.push(`${path} ${op} ${valueOf(name, value)}`);
  }
  return conditions.join(" AND ");
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A line that says what a draft asks for, for people. */
export function summaryOf(source: Source, d: Draft): string {
  if (d.request) return d.request.replace(/\s+/g, " ");
  const isQuery = hasPartition(d, source);
  const keys = partitionKeys(source.keys).map((name, i) => `${name} = ${d.partition[i]}`);
  const sort = sortKeys(source.keys).flatMap((name, i) => (d.sort[i]!.value ? [comparison(name, d.sort[i]!)] : []));
  const filter = d.filter.map((c) => (c.not ? "NOT " : "") + comparison(c.path, c));
  const parts = [...(isQuery ? [...keys, ...sort] : []), ...(filter.length ? [filter.join(d.any ? " OR " : ", ")] : [])];
  return `${isQuery ? "Query" : "Scan"} ${source.index ?? ""} ${parts.join(", ")}`.replace(/\s+/g, " ");
}

const comparison = (name: string, c: { op: string; value: string; to?: string }) => `${name} ${c.op} ${c.value}${c.op === "between" ? ` … ${c.to ?? ""}` : ""}`;
