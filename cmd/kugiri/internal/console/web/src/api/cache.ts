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
  key?: Item; // of an item
  missing?: boolean; // it is cached that there is none
  operation?: string; // of a result, with its request
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
