import assert from "node:assert/strict";
import { test } from "node:test";

import { DeleteCommand, ScanCommand, type DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

import { keyOf, type Item } from "./keys_support.js";
import { table } from "./table_name.js";
import { inFork } from "./table_support.trials.js";

/** A function that reads items by their keys, with the attributes that it asks for, undefined for all. */
export interface Fetch {
  name: string;
  fetch: (client: DynamoDBDocumentClient, items: Item[]) => Promise<Item[]>;
  attributes: string[] | undefined;
}

/** Tries to read all samples but a deleted one by their keys. */
export function tryFetches(fetches: Fetch[]): void {
  for (const { name, fetch, attributes } of fetches) {
    test(`fetch ${name}`, () =>
      inFork(async (client) => {
        const all = (await client.send(new ScanCommand({ TableName: table.name }))).Items ?? [];
        const keys = all.map(keyOf);
        await client.send(new DeleteCommand({ TableName: table.name, Key: keys[0] }));
        const asked = ([name]: [string, unknown]) => attributes?.includes(name) ?? true;
        const want = all.slice(1).map((item) => Object.fromEntries(Object.entries(item).filter(asked)));
        assert.deepEqual(await fetch(client, keys), want);
      }));
  }
}
