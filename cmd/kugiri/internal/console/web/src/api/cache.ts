// What the accelerator's caches hold.

import { brief, type Item } from "./values";

export interface CacheInfo {
  entries: CacheEntry[];
  tables: CacheStats[];
}

export interface CacheEntry {
  owner?: string; // with region undefined if all callers see the same tables
  region?: string;
  node: number;
  cache: "item" | "query";
  table: string;
  key?: Item; // the key of an item
  missing?: boolean; // the cache has that there is no such item
  operation?: string; // the operation of a result
  request?: object;
  bytes: number;
  written: string; // in ISO 8601
  age: number; // seconds
}

export interface CacheStats {
  table: string;
  itemHits: number;
  itemMisses: number;
  itemEvictions: number;
  queryHits: number;
  queryMisses: number;
  queryEvictions: number;
}

/** The key of an item as a short text. */
export const plainItem = (key: Item) => Object.entries(key).map(([name, value]) => `${name} ${brief(value, 60)}`).join(" · ");
