import assert from "node:assert/strict";
import { test } from "node:test";

import { GetCommand, UpdateCommand, paginateScan, type DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

import { keyOf, type Item } from "./keys_support.js";
import { table } from "./table_name.js";
import { inFork } from "./table_support.trials.js";
import { Expressions, Write } from "./writes_support.js";

/** Deletes an item that no guard reserves values for and no counter counts. */
export const gone = (item: Item) => new Write([{ Delete: { TableName: table.name, Key: keyOf(item) } }], [], true);

/** Gives a counter the last number from before a sample, so that the sample can be put again. */
export function rewound(key: Item, name: string, last: number): Write {
  const e = new Expressions();
  const UpdateExpression = e.update({}, { [name]: last });
  return new Write([{ Update: { TableName: table.name, Key: key, UpdateExpression, ...e.used() } }], [], true);
}

/** What a write adds to a counter of an item. after says that an ADD of its own adds it. */
interface Tally {
  key: Item;
  counter: string;
  by: number;
  after: boolean;
}

/**
 * Makes a write of samples: undo makes room for it, those of taken have a value that another item has, and those of
 * stale are of a state that is over.
 */
type Case = () => { undo: Write[]; do: Write; taken: Write[]; stale: Write[]; tallies: Tally[] };

/** Returns all items of the table as texts. */
async function itemsOf(client: DynamoDBDocumentClient): Promise<string[]> {
  const items: string[] = [];
  for await (const page of paginateScan({ client }, { TableName: table.name })) {
    for (const item of page.Items ?? []) items.push(JSON.stringify(Object.entries(item).sort()));
  }
  return items.sort();
}

/** Returns the values of counters. */
async function countersOf(client: DynamoDBDocumentClient, tallies: Tally[]): Promise<number[]> {
  const values: number[] = [];
  for (const { key, counter } of tallies) {
    const { Item } = await client.send(new GetCommand({ TableName: table.name, Key: key }));
    values.push(Item?.[counter] ?? 0);
  }
  return values;
}

/**
 * Tries writes. A write is done once, however often it is sent with its token, and is refused as a whole after that,
 * if a value is taken, or if something is not as the writer has read it. Counters are as the design says: exact in the
 * transaction of the write, and by ADD except for one that is sent again.
 */
export function tryWrites(cases: Record<string, Case>): void {
  for (const [name, of] of Object.entries(cases)) test(name, () => inFork((client) => tryWrite(client, of)));
}

async function tryWrite(client: DynamoDBDocumentClient, of: Case): Promise<void> {
  const { undo, do: write, taken, stale, tallies } = of();
  for (const make of undo) await make.send(client);
  const room = await itemsOf(client);
  const counted = await countersOf(client, tallies);
  const compare = async (what: string, tries: number) => {
    const want = tallies.map(({ by, after }, i) => (counted[i] as number) + by * (after ? tries : 1));
    assert.deepEqual(await countersOf(client, tallies), want, what);
  };
  for (const other of taken) await assert.rejects(other.send(client), "a value is taken twice");
  assert.deepEqual(await itemsOf(client), room, "a value that is taken changes something");
  for (const old of stale) await assert.rejects(old.send(client), "a state that is over is taken for what there is");
  assert.deepEqual(await itemsOf(client), room, "a state that is over changes something");
  await write.send(client, "first");
  const done = await itemsOf(client);
  assert.notDeepEqual(done, room, "it writes nothing");
  await compare("a counter of a write", 1);
  if (write.items.length > 1 && write.after.length === 0) {
    await write.send(client, "first"); // once more, with its token
    assert.deepEqual(await itemsOf(client), done, "it is done twice with one token");
  }
  await assert.rejects(write.send(client, "second"), "it is done twice");
  assert.deepEqual(await itemsOf(client), done, "it is refused, and changes something");
  for (const change of write.after) await client.send(new UpdateCommand(change));
  // ADD has this error: it counts again when it is sent again after a lost answer.
  await compare("a counter of an ADD that is sent again", 2);
}
