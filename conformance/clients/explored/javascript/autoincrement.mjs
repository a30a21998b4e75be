// @nasa-gcn/dynamodb-autoincrement: items with numbers in a row, and an item with its history.
import assert from "node:assert/strict";

import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";
import autoincrement from "@nasa-gcn/dynamodb-autoincrement";

import { createTable, verdicts } from "./explored.mjs";

const client = (options) => DynamoDBDocument.from(new DynamoDB(options));

const numbered = (doc, options) =>
  new autoincrement.DynamoDBAutoIncrement({
    doc,
    counterTableName: "counters",
    counterTableKey: { of: "widgets" },
    tableName: "widgets",
    attributeName: "id",
    initialValue: 1,
    ...options,
  });

const history = (doc) =>
  new autoincrement.DynamoDBHistoryAutoIncrement({
    doc,
    counterTableName: "current",
    counterTableKey: { id: "w" },
    tableName: "history",
    attributeName: "version",
    initialValue: 1,
  });

const both = (work) => () => ({ alice: (doc) => work(doc, "alice"), bob: (doc) => work(doc, "bob") });
const add = (options) => (doc, name) => numbered(doc, options).put({ name });
const write = (doc, name) => history(doc).put({ name });

/** There are as many widgets as were put, with numbers in a row. */
const numbersAre = (...want) => async (doc) => {
  const { Items } = await doc.scan({ TableName: "widgets", ConsistentRead: true });
  assert.deepEqual(Items.map(({ id }) => id).sort(), want);
};

/** The item has a version for each write, and all before it are in the history. */
const versionIs = (n) => async (doc) => {
  const { Items } = await doc.query({
    TableName: "history",
    KeyConditionExpression: "id = :id",
    ExpressionAttributeValues: { ":id": "w" },
    ConsistentRead: true,
  });
  const { Item } = await doc.get({ TableName: "current", Key: { id: "w" }, ConsistentRead: true });
  assert.deepEqual([...Items.map(({ version }) => version), Item.version], Array.from({ length: n }, (_, i) => i + 1));
};

const faults = (...kinds) => ({ faults: 1, kinds });

await verdicts(
  "@nasa-gcn/dynamodb-autoincrement",
  async (db) => {
    await createTable(db, "counters", "of");
    await createTable(db, "current", "id");
    const schema = (name, hash, range) => ({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [hash, range]
        .filter(Boolean)
        .map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
      KeySchema: [hash, range]
        .filter(Boolean)
        .map(([AttributeName], i) => ({ AttributeName, KeyType: i ? "RANGE" : "HASH" })),
    });
    await db.createTable(schema("widgets", ["id", "N"]));
    await db.createTable(schema("history", ["id", "S"], ["version", "N"]));
  },
  [
    { name: "two items at a time", workers: both(add()), check: numbersAre(1, 2) },
    {
      name: "two items at a time, with a fault",
      workers: both(add()),
      check: numbersAre(1, 2),
      options: faults("lost", "conflict", "throttled", "stale1"),
    },
    {
      name: "two items at a time, dangerously",
      workers: both(add({ dangerously: true })),
      check: numbersAre(1, 2),
      finds: "check",
    },
    {
      name: "a writer dies, and begins anew",
      workers: () => ({ alice: [(doc) => numbered(doc).put({ name: "alice" }), { restart: true }] }),
      check: numbersAre(1),
      options: faults("dies-before", "dies-after"),
      finds: "check",
    },
    { name: "two versions at a time", workers: both(write), check: versionIs(2) },
    {
      name: "two versions at a time, with a fault",
      workers: both(write),
      check: versionIs(2),
      options: faults("lost", "conflict", "throttled", "stale1"),
    },
  ].map((program) => ({ client, ...program })),
);
