// Reads items of several tables by their keys.

import { call, isError, type TableDescription } from "./dynamodb";
import { idOf, readItem } from "./edits";
import { keyOf } from "./schema";
import type { Item } from "./values";

/** An item of a table, by its key. */
export interface Place {
  table: TableDescription;
  key: Item; // it may have more attributes
}

const maxKeys = 100; // of a BatchGetItem

interface Answer {
  Responses?: { [table: string]: Item[] };
  UnprocessedKeys?: { [table: string]: { Keys: Item[] } };
}

/** Reads items as they are now, in the order of their places. undefined: there is no such item. */
export async function readItems(places: Place[]): Promise<(Item | undefined)[]> {
  const id = ({ table, key }: Place) => JSON.stringify(table.TableName) + idOf(table, key);
  const wanted = new Map(places.map((one) => [id(one), one]));
  const tables = new Map(places.map(({ table }) => [table.TableName, table]));
  const found = new Map<string, Item>();
  const all = [...wanted.values()];
  for (let i = 0; i < all.length; i += maxKeys) {
    for (const [table, item] of await readSome(all.slice(i, i + maxKeys))) found.set(id({ table: tables.get(table)!, key: item }), item);
  }
  return places.map((one) => found.get(id(one)));
}

// readSome reads items together. A request is refused as a whole if one of its keys can be none, so they are
// then read one by one: there is no item with such a key.
async function readSome(places: Place[]): Promise<[string, Item][]> {
  try {
    return await readBatch(places);
  } catch (error) {
    if (!isError(error, "ValidationException")) throw error;
  }
  const each = await Promise.all(places.map(({ table, key }) => readItem(table, key).catch((error: unknown) => {
    if (!isError(error, "ValidationException")) throw error;
  })));
  return each.flatMap((item, i): [string, Item][] => (item ? [[places[i]!.table.TableName, item]] : []));
}

async function readBatch(places: Place[]): Promise<[string, Item][]> {
  const found: [string, Item][] = [];
  let request: { [table: string]: { Keys: Item[]; ConsistentRead: boolean } } = {};
  for (const { table, key } of places) (request[table.TableName] ??= { Keys: [], ConsistentRead: true }).Keys.push(keyOf(table.KeySchema, key));
  for (let wait = 50; Object.keys(request).length > 0; wait = Math.min(5000, wait * 2)) {
    const answer = await call<Answer>("BatchGetItem", { RequestItems: request });
    for (const [table, items] of Object.entries(answer.Responses ?? {})) found.push(...items.map((item): [string, Item] => [table, item]));
    const left = Object.entries(answer.UnprocessedKeys ?? {});
    request = Object.fromEntries(left.map(([table, { Keys }]) => [table, { Keys, ConsistentRead: true }]));
    if (left.length > 0) await new Promise((done) => setTimeout(done, wait));
  }
  return found;
}
