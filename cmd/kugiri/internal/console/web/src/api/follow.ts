// Where the keys of an item lead: to its collections in the indexes, and to its parents.

import { call, type TableDescription } from "./dynamodb";
import { partitionKeys, sortKeys, sourcesOf, type Source } from "./schema";
import { attribute, open, type AttributeValue, type Item } from "./values";

/** The sources in which an item is: those whose keys it has. */
export function collections(table: TableDescription, item: Item): Source[] {
  return sourcesOf(table).filter((s) => s.keys.length > 0 && s.keys.every((k) => attribute(item, k.AttributeName)));
}

const maxParents = 20;

/** The keys that the parents of an item can have. */
export function parentKeys(table: TableDescription, item: Item): Item[] {
  return candidates(partitionKeys(table.KeySchema)[0]!, sortKeys(table.KeySchema)[0], item).slice(0, maxParents);
}

/** The items that an item belongs to: those whose sort key begins that of the item, in its partition. */
export async function parents(table: TableDescription, item: Item): Promise<Item[]> {
  const [sort] = sortKeys(table.KeySchema);
  const keys = parentKeys(table, item);
  if (keys.length === 0) return [];
  const out = await call<{ Responses?: { [table: string]: Item[] } }>("BatchGetItem", {
    RequestItems: { [table.TableName]: { Keys: keys } },
  });
  const found = out.Responses?.[table.TableName] ?? [];
  return found.sort((a, b) => length(attribute(a, sort!)) - length(attribute(b, sort!)));
}

// candidates lists the keys that parents can have: A and A#1 of A#1#B, and what heads of item
// collections are often called.
function candidates(partition: string, sort: string | undefined, item: Item): Item[] {
  const [head, last] = [attribute(item, partition), sort ? attribute(item, sort) : undefined];
  if (!sort || !head || !last || !("S" in last)) return [];
  const own = last.S;
  const segments = own.split("#");
  const texts = new Set<string>();
  for (let n = 1; n < segments.length; n++) texts.add(segments.slice(0, n).join("#"));
  if ("S" in head) texts.add(head.S);
  for (const name of ["META", "METADATA", "HEAD", "PROFILE", "#"]) texts.add(name);
  texts.delete(own);
  texts.delete("");
  return [...texts].map((text) => ({ [partition]: head, [sort]: { S: text } }));
}

function length(value: AttributeValue | undefined): number {
  return value ? String(open(value)[1]).length : 0;
}
