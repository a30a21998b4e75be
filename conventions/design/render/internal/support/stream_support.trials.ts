import assert from "node:assert/strict";
import { test } from "node:test";

import {
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
} from "@aws-sdk/lib-dynamodb";
import { type Fork } from "kugiri";

import { type Item } from "./keys_support.js";
import { type Consumer, type StreamRecord } from "./stream_support.js";
import { table } from "./table_name.js";
import { inFork, type Samples } from "./table_support.trials.js";
import { type Write } from "./writes_support.js";

/** A write, and what is true once its record is consumed. */
interface StreamStep {
  write: Write;
  counters: { key: Item; counter: string; by: number; again: boolean }[]; // again: it counts again with the record
  copies: { key: Item; of: Item; model: string; copied: (i: Item, of: Item) => unknown[] }[];
  feeds: { key: Item; there: boolean }[];
}

/** Writes of a sample. undo makes room for them. */
type StreamCase = () => { undo: Write[]; steps: StreamStep[] };

/** Makes a consumer with a client. */
type MakesConsumer = (client: DynamoDBDocumentClient) => Consumer;

/** Sends a request to the stream. */
async function streamRequest(fork: Fork, operation: string, input: object) {
  const { endpoint, region, credentials } = fork.clientOptions;
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = `${credentials.accessKeyId}/${date.slice(0, 8)}/${region}/dynamodb/aws4_request`;
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": `DynamoDBStreams_20120810.${operation}`,
    "x-amz-date": date,
    authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=${"0".repeat(64)}`,
  };
  const response = await fetch(endpoint, { method: "POST", headers, body: JSON.stringify(input) });
  assert.equal(response.status, 200, await response.clone().text());
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return (await response.json()) as any;
}

/** Returns a function that reads the records that have come since its last call. */
async function streamReader(fork: Fork): Promise<() => Promise<StreamRecord[]>> {
  const { Streams } = await streamRequest(fork, "ListStreams", { TableName: table.name });
  const { StreamArn } = Streams[0];
  const { StreamDescription } = await streamRequest(fork, "DescribeStream", { StreamArn });
  const iterators: string[] = [];
  for (const { ShardId } of StreamDescription.Shards) {
    const of = { StreamArn, ShardId, ShardIteratorType: "LATEST" };
    iterators.push((await streamRequest(fork, "GetShardIterator", of)).ShardIterator);
  }
  return async () => {
    const all: StreamRecord[] = [];
    for (const i of iterators.keys()) {
      for (let more = true; more && iterators[i]; ) {
        const out = await streamRequest(fork, "GetRecords", { ShardIterator: iterators[i] });
        iterators[i] = out.NextShardIterator;
        more = out.Records.length > 0;
        all.push(...out.Records);
      }
    }
    return all;
  };
}

/**
 * A client that fails at its first write, if it is to, has the first transaction conflict with another one, leaves an
 * item unprocessed, and reads one item by one.
 */
function slowClient(client: DynamoDBDocumentClient, fails: boolean): DynamoDBDocumentClient {
  let [left, conflicted] = [false, false];
  const writes = [UpdateCommand, TransactWriteCommand, BatchWriteCommand];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const send = async (command: any): Promise<any> => {
    if (fails && writes.some((of) => command instanceof of)) {
      fails = false;
      throw new Error("a first write fails");
    }
    if (command instanceof TransactWriteCommand && !conflicted) {
      conflicted = true;
      const CancellationReasons = command.input.TransactItems?.map(() => ({ Code: "TransactionConflict" }));
      throw Object.assign(new Error("a conflict"), { name: "TransactionCanceledException", CancellationReasons });
    }
    if (command instanceof QueryCommand) command.input.Limit = 1;
    if (!(command instanceof BatchWriteCommand) || left) return client.send(command);
    left = true;
    const [first, ...rest] = command.input.RequestItems?.[table.name] ?? [];
    if (rest.length > 0) await client.send(new BatchWriteCommand({ RequestItems: { [table.name]: rest } }));
    return { UnprocessedItems: { [table.name]: [first] } };
  };
  return { send } as unknown as DynamoDBDocumentClient;
}

/** Gives a batch to a consumer until it has done all of it. If it fails, it fails at its first write. */
async function consume(make: MakesConsumer, client: DynamoDBDocumentClient, batch: StreamRecord[], fails: boolean) {
  const consumer = make(slowClient(client, fails));
  const { failed } = await consumer.consume(batch);
  if (failed === undefined) return;
  const at = batch.findIndex((r) => r.dynamodb?.SequenceNumber === failed);
  assert.ok(fails && at >= 0, `the consumer is to go on at ${failed}`);
  assert.deepEqual(await consumer.handle({ Records: batch.slice(at) }), { batchItemFailures: [] });
}

/** Compares the table with what is true after a step and so many tries. */
class Check {
  constructor(
    private readonly client: DynamoDBDocumentClient,
    private readonly samples: Samples,
    private readonly step: StreamStep,
  ) {}

  private async get(key: Item): Promise<Item | undefined> {
    return (await this.client.send(new GetCommand({ TableName: table.name, Key: key }))).Item;
  }

  /** Returns the values of the counters. */
  async counted(): Promise<number[]> {
    const value = async (key: Item, counter: string) => Number((await this.get(key))?.[counter] ?? 0);
    return Promise.all(this.step.counters.map(({ key, counter }) => value(key, counter)));
  }

  async check(before: number[], tries: number): Promise<void> {
    const { counters, copies, feeds } = this.step;
    const want = counters.map(({ by, again }, i) => (before[i] as number) + by * (again ? tries : 1));
    assert.deepEqual(await this.counted(), want, `the counters of ${tries} tries`);
    for (const { key, of, model, copied } of copies) {
      const [item, original] = [await this.get(key), await this.get(of)];
      if (!item) continue; // it was deleted
      const [own, their] = copied(item, original ?? {});
      assert.deepEqual(own, their, "a copy");
      this.samples.same(model, item, "all keys have the copy");
    }
    for (const { key, there } of feeds) assert.equal((await this.get(key)) !== undefined, there, "an item of a feed");
  }
}

/**
 * Tries the consumer of the stream: what it does for the record of a write is true once it is done, and after the
 * record came again. It goes on where it has failed.
 */
export function tryStreams(samples: Samples, make: MakesConsumer, cases: Record<string, StreamCase>): void {
  for (const [name, of] of Object.entries(cases)) {
    test(name, () =>
      inFork(async (client, fork) => {
        const { undo, steps } = of();
        for (const make of undo) await make.send(client);
        if (undo.length) {
          for (const { key } of steps[0]?.feeds ?? []) {
            await client.send(new DeleteCommand({ TableName: table.name, Key: key }));
          }
        }
        for (const step of steps) await tryStep(client, fork, make, step, new Check(client, samples, step));
      }),
    );
  }
}

async function tryStep(
  client: DynamoDBDocumentClient,
  fork: Fork,
  make: MakesConsumer,
  step: StreamStep,
  table: Check,
): Promise<void> {
  const next = await streamReader(fork);
  const before = await table.counted();
  await step.write.send(client);
  const batch = await next();
  assert.notEqual(batch.length, 0, "the stream has no record");
  await consume(make, client, batch, true);
  await table.check(before, 1);
  await consume(make, client, batch, false);
  await table.check(before, 2);
  await consume(make, client, await next(), false); // the records of what the consumer has written
  await table.check(before, 2);
}
