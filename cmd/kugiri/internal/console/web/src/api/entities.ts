// Entities: what kind of thing an item is, by the policy of the server or by the form of its key.

import type { TableDescription } from "./dynamodb";
import { partitionKeys, sortKeys } from "./schema";
import { attribute, open, type Item } from "./values";

/** An entity that the policy declares for tables. */
export interface DeclaredEntity {
  table: string; // a name, or a pattern with *
  name: string;
  prefix: string; // of the partition key
  sort: string; // the beginning of the sort key, "" for any
}

/** How many colors there are for entities: the classes hue-0 to hue-6. */
export const hues = 7;

// names of attributes in which programs keep the kind of an item
const typeAttributes = ["entity", "entityType", "EntityType", "_et", "__edb_e__", "_type", "__typename", "type", "Type"];

/** The entity of an item, "" if its key shows none. It is the same in the table and in its indexes. */
export function entityOf(table: TableDescription, item: Item, declared: DeclaredEntity[]): string {
  const [partition, sort] = [first(item, partitionKeys(table.KeySchema)), first(item, sortKeys(table.KeySchema))];
  const found = declared.find((e) => matches(e.table, table.TableName) && begins(partition, e.prefix) && sort.startsWith(e.sort));
  if (found) return found.name;
  for (const name of typeAttributes) {
    const value = attribute(item, name);
    if (value && "S" in value && value.S.length <= 40) return value.S;
  }
  return prefixOf(sort) || prefixOf(partition);
}

function first(item: Item, names: string[]): string {
  const value = names[0] === undefined ? undefined : attribute(item, names[0]);
  if (!value) return "";
  const [type, content] = open(value);
  return type === "S" ? (content as string) : "";
}

function matches(pattern: string, table: string): boolean {
  const escaped = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`).test(table);
}

const begins = (key: string, prefix: string) => prefix === "" || key === prefix || key.startsWith(prefix + "#");

// prefixOf returns the words of a key: ORDER of ORDER#17, ORDER#LINE of ORDER#17#LINE#2, and PROFILE
// of PROFILE.
function prefixOf(key: string): string {
  const [begin = "", ...rest] = key.split(/[#:|/]/);
  const word = rest.length > 0 ? /^[A-Za-z][A-Za-z_-]{0,30}$/ : capitals;
  return word.test(begin) ? [begin, ...rest.filter((one) => capitals.test(one))].join("#") : "";
}

const capitals = /^[A-Z][A-Z_-]{1,30}$/;

/** The color of an entity, the same whenever and wherever it is shown. */
export function hueOf(entity: string): number {
  let sum = 7;
  for (const c of entity) sum = (sum * 31 + c.codePointAt(0)!) >>> 0;
  return sum % hues;
}
