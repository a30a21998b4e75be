// The stream of the table, and what it tells of expired items.
import assert from "node:assert/strict";

import { DynamoDBStreams } from "@aws-sdk/client-dynamodb-streams";
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";

import { advance } from "../scenario.mjs";
import { TableName, client, db, get, put } from "./orders.mjs";

const streams = new DynamoDBStreams();

/** Returns the records of the table's stream, shard by shard. */
async function records() {
  const { Table } = await client.describeTable({ TableName });
  const StreamArn = Table.LatestStreamArn;
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  const all = [];
  for (const { ShardId } of StreamDescription.Shards) {
    const start = await streams.getShardIterator({
      StreamArn,
      ShardId,
      ShardIteratorType: "TRIM_HORIZON",
    });
    let page = { NextShardIterator: start.ShardIterator };
    do {
      page = await streams.getRecords({ ShardIterator: page.NextShardIterator });
      all.push(...page.Records);
    } while (page.Records.length > 0 && page.NextShardIterator);
  }
  return all;
}

export async function readStream() {
  const first = { customer: "streams", at: 1, status: "new" };
  const second = { ...first, status: "paid" };
  await put(first);
  await put(second);
  await db.send(new DeleteCommand({ TableName, Key: { customer: "streams", at: 1 } }));
  const image = (of) => of && unmarshall(of);
  const changes = (await records())
    .filter(({ dynamodb }) => dynamodb.Keys.customer.S === "streams")
    .map(({ eventName, dynamodb }) => [
      eventName,
      image(dynamodb.OldImage),
      image(dynamodb.NewImage),
    ]);
  assert.deepEqual(changes, [
    ["INSERT", undefined, first],
    ["MODIFY", first, second],
    ["REMOVE", second, undefined],
  ]);
}

export async function expiry() {
  const expires = Math.floor(Date.now() / 1000) + 3600;
  await put({ customer: "expiry", at: 1, expires });
  assert.equal((await get("expiry", 1)).expires, expires);
  await advance("20h");
  assert.equal(await get("expiry", 1), undefined);
  assert.equal((await records()).at(-1).userIdentity.PrincipalId, "dynamodb.amazonaws.com");
}
