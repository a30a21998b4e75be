// What a table's description says of its keys and indexes.

import type { IndexDescription, KeyElement, TableDescription } from "./dynamodb";
import { attribute, type Item } from "./values";

/** A table or one of its indexes, from which Query and Scan read. */
export interface Source {
  index?: string; // undefined: the table
  kind: "table" | "local" | "global";
  keys: KeyElement[];
}

/** The table and its indexes. Vector indexes have no keys, and are not among them. */
export function sourcesOf(table: TableDescription): Source[] {
  const of = (kind: Source["kind"]) => (index: IndexDescription) => ({ index: index.IndexName, kind, keys: index.KeySchema ?? [] });
  return [
    { kind: "table", keys: table.KeySchema },
    ...(table.LocalSecondaryIndexes ?? []).map(of("local")),
    ...(table.GlobalSecondaryIndexes ?? []).map(of("global")),
  ];
}

export function indexesOf(table: TableDescription): IndexDescription[] {
  return [...(table.LocalSecondaryIndexes ?? []), ...(table.GlobalSecondaryIndexes ?? []), ...(table.VectorIndexes ?? [])];
}

/** The names of the attributes of the partition key. Global indexes may have several. */
export const partitionKeys = (keys: KeyElement[]) => keys.filter((k) => k.KeyType === "HASH").map((k) => k.AttributeName);

export const sortKeys = (keys: KeyElement[]) => keys.filter((k) => k.KeyType === "RANGE").map((k) => k.AttributeName);

/** The type of an attribute of a key: S, N or B. */
export function typeOf(table: TableDescription, attribute: string): string {
  return table.AttributeDefinitions.find((a) => a.AttributeName === attribute)?.AttributeType ?? "S";
}

/** The key of an item. */
export function keyOf(keys: KeyElement[], item: Item): Item {
  const names = keys.map((k) => k.AttributeName).filter((name) => attribute(item, name));
  return Object.fromEntries(names.map((name) => [name, attribute(item, name)!]));
}

/** PAY_PER_REQUEST or PROVISIONED. */
export function billingOf(table: TableDescription): string {
  return table.BillingModeSummary?.BillingMode ?? "PROVISIONED";
}
