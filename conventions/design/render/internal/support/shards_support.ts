import { type Value } from "./keys_support.js";

/** Returns the number of an item's shard: a hash (FNV-1a) of the model's key. */
export function shard(shards: number, ...key: (Value | Uint8Array)[]): string {
  let hash = 0x811c9dc5;
  for (const value of key) {
    const text = value instanceof Uint8Array ? `[${value.join(" ")}]` : value;
    for (const byte of new TextEncoder().encode(`${text}\0`)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return String(hash % shards);
}

/** Returns the numbers of all shards. */
export const shards = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i));
