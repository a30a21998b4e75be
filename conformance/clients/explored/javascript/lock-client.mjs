// dynamodb-lock-client: a balance that is read and written under a lock.
import assert from "node:assert/strict";

import AWS from "aws-sdk";
import locks from "dynamodb-lock-client";

import { createTable, verdicts } from "./explored.mjs";

const account = { TableName: "accounts", Key: { id: "ann" } };

const client = ({ endpoint, region, credentials }) =>
  new AWS.DynamoDB.DocumentClient({ endpoint, region, credentials, retryDelayOptions: { base: 1 } });

const failClosed = (dynamodb) =>
  new locks.FailClosed({ dynamodb, lockTable: "locks", partitionKey: "id", acquirePeriodMs: 1, retryCount: 2 });
const failOpen = (dynamodb, options) =>
  new locks.FailOpen({ dynamodb, lockTable: "locks", partitionKey: "id", leaseDurationMs: 20, retryCount: 2, ...options });

const promised = (call) => new Promise((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value))));

const guardOf = ({ fencingToken }) => ({
  ConditionExpression: "attribute_not_exists(fence) OR fence <= :fence",
  ExpressionAttributeValues: { ":fence": fencingToken },
});

/**
 * Takes one from the balance under a lock. With a fence, the write is refused after one by a later holder; with
 * "first", the holder says that it is there before it reads.
 */
const subtract = (locker, fence) => async (db) => {
  const lock = await promised((done) => locker(db).acquireLock("ann", done));
  if (fence === "first") {
    const claim = { UpdateExpression: "SET fence = :fence", ...guardOf(lock) };
    await db.update({ ...account, ...claim }).promise();
  }
  const { Item } = await db.get({ ...account, ConsistentRead: true }).promise();
  const next = { ...Item, balance: Item.balance - 1 };
  const fenced = fence && { Item: { ...next, fence: lock.fencingToken }, ...guardOf(lock) };
  await db.put({ TableName: account.TableName, Item: next, ...fenced }).promise();
  await promised((done) => lock.release(done));
};

const both = (work) => () => ({ alice: work, bob: work });
const lost = { faults: 1, kinds: ["lost"] };
const dies = { faults: 1, kinds: ["dies-before", "dies-after"] };
const refused = (error) => /^(FailedToAcquireLock|ConditionalCheckFailedException)$/.test(error.code);

/** A lock that nobody holds can be taken. */
const isFree = async (db) => {
  const lock = await promised((done) => failClosed(db).acquireLock("ann", done));
  await promised((done) => lock.release(done));
};

await verdicts(
  "dynamodb-lock-client",
  async (db) => {
    await createTable(db, "locks", "id");
    await createTable(db, "accounts", "id");
    await db.putItem({ TableName: "accounts", Item: { id: { S: "ann" }, balance: { N: "10" } } });
  },
  [
    {
      name: "fail closed",
      workers: both(subtract(failClosed)),
      check: isFree,
      options: { serializable: true, aborts: refused, ignore: ["guid"] },
    },
    { name: "fail closed, one answer lost", workers: () => ({ alice: subtract(failClosed) }), check: isFree, options: lost, finds: "check" },
    {
      name: "fail closed, the holder dies",
      workers: () => ({ alice: [subtract(failClosed), { restart: null }] }),
      check: isFree,
      options: dies,
      finds: "check",
    },
    { name: "fail open, a lease that is too short", workers: both(subtract(failOpen)), finds: "lost update" },
    { name: "fail open, writes with the fencing token", workers: both(subtract(failOpen, true)), finds: "lost update" },
    { name: "fail open, with the fencing token before it reads", workers: both(subtract(failOpen, "first")) },
    {
      name: "fail open, one answer lost",
      workers: () => ({ alice: subtract(failOpen, true) }),
      check: async (db) => assert.equal((await db.get(account).promise()).Item.balance, 9),
      options: lost,
    },
  ].map((program) => ({ client, ...program })),
);
