import { QueryCommand, type DynamoDBDocumentClient, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";

import { type Item } from "./keys_support.js";
import { keyNames } from "./table_name.js";

/**
 * Where a result goes on: for each request the key of the last item that was returned, null for none, and an
 * empty object at the end. It is JSON, unless a key has bytes.
 */
export type Position = (Item | null)[];

/** A request with the items that are read, but not yet returned. */
interface Reading {
  readonly input: QueryCommandInput;
  items: Item[];
  from?: Item; // where the next page begins
  position: Item | null; // the key of the last item that was returned
  ended: boolean; // there are no more pages
}

/** Reads the result of a pattern that takes several requests, in the order of the pattern, one call at a time. */
export class Results implements AsyncIterable<Item> {
  private readonly readings: Reading[];
  private at = 0; // the first request that has items left

  /**
   * merged is how many requests that follow each other have the shards of one partition, sort the attribute by
   * which shards are merged, and indexKey the key of the index.
   */
  constructor(
    private readonly client: DynamoDBDocumentClient,
    inputs: QueryCommandInput[],
    private readonly merged: number,
    private readonly sort: string,
    private readonly indexKey: string[],
  ) {
    this.readings = inputs.map((input) => ({ input, items: [], position: null, ended: false }));
  }

  /**
   * Returns the next items, at most limit of them, or all that are left. It returns none after the last ones.
   * After an error the same items come again.
   */
  async next(limit?: number): Promise<Item[]> {
    const before = this.position();
    const items: Item[] = [];
    try {
      while (limit === undefined || items.length < limit) {
        const first = await this.first(limit);
        if (first === undefined) break;
        items.push(this.take(first));
      }
    } catch (error) {
      this.continue(before);
      throw error;
    }
    return items;
  }

  /** Returns all items that are left, one by one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (let first = await this.first(); first !== undefined; first = await this.first()) yield this.take(first);
  }

  /** Says where next goes on. Another result of the same pattern with the same values can continue there. */
  position(): Position {
    return this.readings.map((r) => (r.ended && r.items.length === 0 ? {} : r.position));
  }

  /** Has next go on at a position. */
  continue(position: Position): void {
    if (position.length !== this.readings.length) {
      throw new RangeError(`the position is one of ${position.length} requests, not of ${this.readings.length}`);
    }
    this.at = 0;
    for (const [i, r] of this.readings.entries()) {
      const key = position[i] ?? null;
      r.items = [];
      r.from = key ?? undefined;
      r.position = key;
      r.ended = key !== null && Object.keys(key).length === 0;
    }
  }

  /** Returns the request that has the next item. */
  private async first(limit?: number): Promise<Reading | undefined> {
    for (; this.at < this.readings.length; this.at += this.merged) {
      const shards = this.readings.slice(this.at, this.at + this.merged);
      // each request ends before an error is thrown: none goes on behind the next call
      const outcomes = await Promise.allSettled(shards.map((r) => this.read(r, limit)));
      for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
      const full = shards.filter((r) => r.items.length > 0);
      if (full.length > 0) return full.reduce((a, b) => (this.before(b, a) ? b : a));
    }
    return undefined;
  }

  /** Reads pages until there is an item, or no more page. */
  private async read(r: Reading, limit?: number): Promise<void> {
    while (r.items.length === 0 && !r.ended) {
      const out = await this.client.send(
        new QueryCommand({ ...r.input, Limit: r.input.Limit ?? limit, ExclusiveStartKey: r.from }),
      );
      r.items = out.Items ?? [];
      r.from = out.LastEvaluatedKey;
      r.ended = r.from === undefined;
      if (r.items.length === 0) r.position = r.from ?? null;
    }
  }

  /** Returns the first item of a request, and remembers its key. */
  private take(r: Reading): Item {
    const item = r.items.shift() as Item;
    r.position = Object.fromEntries([...keyNames, ...this.indexKey].map((name) => [name, item[name]]));
    return item;
  }

  /** Reports whether the next item of a comes before that of b, by the order of DynamoDB. */
  private before(a: Reading, b: Reading): boolean {
    const descending = a.input.ScanIndexForward === false;
    const [x, y] = [a, b].map((r) => r.items[0]?.[this.sort]);
    if (x === undefined || y === undefined) return false;
    const bytes = (v: string | Uint8Array) => (typeof v === "string" ? Buffer.from(v) : v);
    const order = typeof x === "number" ? x - y : Buffer.compare(bytes(x), bytes(y));
    return descending ? order > 0 : order < 0;
  }
}
