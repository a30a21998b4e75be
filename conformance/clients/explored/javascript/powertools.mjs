// Powertools for AWS Lambda: a function that charges once for each event.
import assert from "node:assert/strict";

import { IdempotencyConfig, makeIdempotent } from "@aws-lambda-powertools/idempotency";
import { DynamoDBPersistenceLayer } from "@aws-lambda-powertools/idempotency/dynamodb";

import { createTable, verdicts } from "./explored.mjs";

const account = { TableName: "accounts", Key: { id: { S: "ann" } } };

/** The work: with the token that the SDK makes for its tries, a lost answer does not charge twice. */
const charge = (db) =>
  db.transactWriteItems({
    TransactItems: [
      { Update: { ...account, UpdateExpression: "ADD charged :one", ExpressionAttributeValues: { ":one": { N: "1" } } } },
    ],
  });

const charged = async (db) => Number((await db.getItem({ ...account, ConsistentRead: true })).Item?.charged?.N ?? 0);

/** A Lambda function with time left that is invoked with the same event each time. */
async function invoke(db, left = 5000) {
  const config = new IdempotencyConfig({});
  config.registerLambdaContext({ getRemainingTimeInMillis: () => left });
  const persistenceStore = new DynamoDBPersistenceLayer({ tableName: "idempotency", awsSdkV3Client: db });
  const work = async () => {
    await charge(db);
    return { receipt: 7 };
  };
  return makeIdempotent(work, { persistenceStore, config })({ order: 1 });
}

const atMostOnce = async (db) => assert.ok((await charged(db)) <= 1, `charged ${await charged(db)} times`);
const once = async (db) => assert.equal(await charged(db), 1);
const two = (left) => () => ({ first: (db) => invoke(db, left), second: (db) => invoke(db, left) });
const lost = { faults: 1, kinds: ["lost"] };

await verdicts(
  "Powertools for AWS Lambda, idempotency",
  async (db) => {
    await createTable(db, "idempotency", "id");
    await createTable(db, "accounts", "id");
  },
  [
    { name: "two deliveries of an event", workers: two(), check: once },
    { name: "two deliveries, one answer lost: at most once", workers: two(), check: atMostOnce, options: lost },
    {
      name: "one delivery, one answer lost",
      workers: () => ({ only: (db) => invoke(db) }),
      check: once,
      options: lost,
      finds: "check",
    },
    {
      name: "a function dies, and its event comes again at once",
      workers: () => ({ only: [(db) => invoke(db), { restart: true }] }),
      check: once,
      options: { faults: 1, kinds: ["dies-before", "dies-after"] },
      finds: "check",
    },
    {
      name: "a function dies, and its event comes again when its time is over",
      workers: () => ({ only: [(db) => invoke(db, -1), { restart: true }] }),
      check: once,
      options: { faults: 1, kinds: ["dies-before", "dies-after"] },
      finds: "check",
    },
  ],
);
