// Where an operation leads: to an item, to the items that it reads, or to a table.

import { partitionKeys, sortKeys, sourcesOf } from "../../api/schema";
import type { Operation, ReadOfOperation } from "../../api/traffic";
import { attribute, brief, keyText, type AttributeValue, type Item } from "../../api/values";
import { t } from "../../i18n";
import { identity } from "../../state/identity";
import { operators } from "../../state/read";
import { href, type Query } from "../../state/route";
import { session } from "../../state/session";
import { tableInfos } from "../../state/tables";

export interface Link {
  text: string;
  to: string; // "" for none
}

/** The items and the reads of an operation. */
export function linksOf(o: Operation): Link[] {
  return [
    ...o.items.map((one) => ({ text: keyOf(one.key), to: tableLink(one.table, o, itemQuery(one.table, one.key)) })),
    ...o.reads.map((read) => ({ text: textOf(read), to: readLink(read, o) })),
  ];
}

/** The address of a table, of whoever sent a request. */
export function tableLink(table: string, by: { accessKey: string; region: string } | undefined, query: Query = {}): string {
  return href(["tables", table], { ...(by ? whose(by) : {}), ...query });
}

// whose names the identity of a request, if it is not the one that the page shows.
function whose({ accessKey, region }: { accessKey: string; region: string }): Query {
  const { accessKey: own, region: here } = identity.value;
  const same = (!session.value?.choice || accessKey === own) && region === here;
  return same || !region ? {} : { as: `${accessKey}@${region}` };
}

function itemQuery(table: string, key: Item): Query {
  const [name] = partitionKeys(tableInfos.value.get(table)?.table.KeySchema ?? []);
  return { p0: name && keyText(attribute(key, name)), item: JSON.stringify(key) };
}

const keyOf = (key: Item) => Object.values(key).map((value) => brief(value, 80)).join(" · ");

// textOf is the key condition with its values.
function textOf(read: ReadOfOperation): string {
  const on = read.index ? `${read.index}: ` : "";
  const filter = read.filter ? ` (${t("traffic.filter")}: ${read.filter})` : "";
  if (read.scan) return on + t("traffic.allItems") + filter;
  const parts = (read.keyCondition ?? "").split("?");
  const fits = parts.length === read.values.length + 1;
  const text = fits ? parts.map((part, i) => part + (i < read.values.length ? literal(read.values[i]!) : "")).join("") : read.keyCondition;
  return on + text + filter;
}

const literal = (value: AttributeValue) => ("S" in value ? JSON.stringify(brief(value, 80)) : brief(value, 80));

function readLink(read: ReadOfOperation, o: Operation): string {
  const index = read.index ? { index: read.index } : {};
  const condition = read.scan ? {} : conditionQuery(read);
  return condition ? tableLink(read.table, o, { ...index, ...condition }) : tableLink(read.table, o, index);
}

// conditionQuery is a key condition in the address, undefined if the keys are not known. The server
// writes conditions in the order of the key.
function conditionQuery(read: ReadOfOperation): Query | undefined {
  const table = tableInfos.value.get(read.table)?.table;
  const keys = table && sourcesOf(table).find((s) => (s.index ?? "") === (read.index ?? ""))?.keys;
  if (!keys || read.values.length === 0) return undefined;
  const partition = partitionKeys(keys);
  const query: Query = Object.fromEntries(partition.map((_, i) => [`p${i}`, keyText(read.values[i])]));
  const [low, high] = read.values.slice(partition.length);
  const sort = sortKeys(keys)[0];
  if (low && sort) {
    const op = operators.find((one) => read.keyCondition?.endsWith(" AND " + conditionOn(sort, one)));
    if (op) Object.assign(query, { op, s: keyText(low), s2: high ? keyText(high) : undefined });
  }
  if (read.descending) query["desc"] = "1";
  return query;
}

function conditionOn(name: string, op: string): string {
  if (op === "begins_with") return `begins_with(${name}, ?)`;
  return op === "between" ? `${name} BETWEEN ? AND ?` : `${name} ${op} ?`;
}

/** The address of the items with a partition key, "" if its text does not say which. */
export function partitionLink(table: string, index: string | undefined, key: string): string {
  const info = tableInfos.value.get(table)?.table;
  const keys = info && sourcesOf(info).find((s) => (s.index ?? "") === (index ?? ""))?.keys;
  if (!keys || partitionKeys(keys).length !== 1) return "";
  try {
    const p0 = key.startsWith('"') ? (JSON.parse(key) as string) : key;
    return tableLink(table, undefined, { index, p0 });
  } catch {
    return ""; // a string with characters that JSON writes in another way
  }
}
