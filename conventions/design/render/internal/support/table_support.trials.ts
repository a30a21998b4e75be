import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type GetCommandInput,
  type QueryCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { startKugiri, type Fork, type Server } from "kugiri";

import { keyOf, type Item } from "./keys_support.js";

let server: Server;
before(async () => void (server = await startKugiri({ seed: "../seed" })));
after(() => server.stop());

/** Runs a part of a test with a table of its own. */
export async function inFork(run: (client: DynamoDBDocumentClient, fork: Fork) => Promise<void>): Promise<void> {
  const fork = await server.fork();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(fork.clientOptions));
  await run(client, fork);
  client.destroy();
  await fork.remove();
}

/** Reads an item of a model and writes it again, by model. */
export type Rebuild = Record<string, (item: Item) => Item>;

/** The samples, in the order of their file. */
export class Samples {
  readonly items: Item[];

  constructor(
    file: string,
    private readonly models: string[],
    private readonly rebuild: Rebuild,
  ) {
    this.items = readFileSync(`../seed/${file}`, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => unmarshall(bytes(JSON.parse(line).Item)));
  }

  /** Returns sample number n of a model. */
  pick<T>(model: string, n: number, of: (item: Item) => T): T {
    const items = this.items.filter((_, i) => this.models[i] === model);
    return of(items[n] as Item);
  }

  /** Checks that an item of a model is the same when it is read and written again. */
  same(model: string, item: Item, message?: string): void {
    assert.deepEqual({ ...this.rebuild[model]?.(item) }, item, message);
  }

  /** Returns the number of the sample of an item. */
  rowOf(item: Item): number {
    const text = (v: unknown) => (v instanceof Uint8Array ? [...v] : v);
    const key = (of: Item) => JSON.stringify(Object.values(keyOf(of)).map(text));
    const row = this.items.findIndex((sample) => key(sample) === key(item));
    assert.notEqual(row, -1, `no sample has the key ${key(item)}`);
    return row;
  }

  /** Tries to read all samples and to write them again. */
  tryItems(): void {
    test("items", () => {
      for (const [i, item] of this.items.entries()) this.same(this.models[i] as string, item);
    });
  }

  /** Tries to read patterns. */
  tryPatterns(patterns: Pattern[]): void {
    for (const { name, limit, reads } of patterns) {
      test(`read ${name}`, async () => {
        const client = DynamoDBDocumentClient.from(new DynamoDBClient(server.clientOptions));
        for (const { find, want } of reads) {
          const items = await find(client);
          compare(items.map((item) => this.rowOf(item)), want, limit);
        }
        client.destroy();
      });
    }
  }
}

/** Requests of a pattern, with the samples that each has to find, group by group. */
export interface Pattern {
  name: string;
  limit: number;
  reads: { find: (client: DynamoDBDocumentClient) => Promise<Item[]>; want: number[][] }[];
}

/** Reads the binary values of DynamoDB's JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function bytes(value: any): any {
  if (Array.isArray(value)) return value.map(bytes);
  if (value === null || typeof value !== "object") return value;
  const read = (name: string, v: unknown) =>
    name === "B" && typeof v === "string" ? Buffer.from(v, "base64") : bytes(v);
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, read(name, v)]));
}

/** Checks that the samples found are those of the groups, group by group. Those of a group come in any order. */
function compare(found: number[], want: number[][], limit: number): void {
  let at = 0;
  for (const group of want) {
    for (const row of found.slice(at, at + group.length)) {
      assert.ok(group.includes(row), `found the samples ${found}, want ${JSON.stringify(want)}`);
    }
    at += group.length;
  }
  const count = want.flat().length;
  assert.equal(new Set(found).size, limit > 0 ? Math.min(count, limit) : count, `found the samples ${found}`);
  assert.equal(found.length, new Set(found).size, `found samples twice: ${found}`);
}

/** Sends a GetItem, and returns what it finds. */
export async function get(client: DynamoDBDocumentClient, input: GetCommandInput): Promise<Item[]> {
  const out = await client.send(new GetCommand(input));
  return out.Item === undefined ? [] : [out.Item];
}

/** Sends a Query, for each page or for as many items as it asks for. */
export async function query(client: DynamoDBDocumentClient, input: QueryCommandInput): Promise<Item[]> {
  const found: Item[] = [];
  for (let from: Item | undefined; ; ) {
    const page = await client.send(new QueryCommand({ ...input, ExclusiveStartKey: from }));
    found.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
    if (from === undefined || input.Limit !== undefined) return found;
  }
}

/** Returns a value with another value of an attribute, which no sample has. */
export function change<T>(of: T, name: keyof T): T {
  const value: unknown = of[name];
  const changed =
    typeof value === "boolean" ? !value
    : typeof value === "number" ? Number(`${value}1`)
    : Array.isArray(value) ? [...value, 1]
    : value instanceof Uint8Array ? Uint8Array.from([...value, 1])
    : typeof value === "object" ? { changed: "1" }
    : `${value ?? ""}1`;
  return { ...of, [name]: changed };
}
