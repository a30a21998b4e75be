// Writes and reads of items with the document client.
import assert from "node:assert/strict";

import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
  paginateQuery,
  paginateScan,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";

import { numbersTo, sleep, unprocessed } from "../scenario.mjs";
import { TableName, db, get, put } from "./orders.mjs";

/** Writes an order if nobody has written it since it was read: optimistic locking. */
const save = (order) =>
  db.send(
    new PutCommand({
      TableName,
      Item: { ...order, version: (order.version ?? 0) + 1 },
      ConditionExpression: order.version ? "version = :read" : "attribute_not_exists(version)",
      ExpressionAttributeValues: order.version && { ":read": order.version },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }),
  );

export async function conditions() {
  const order = { customer: "conditions", at: 1, status: "new" };
  await save(order);
  const written = { ...order, version: 1 };
  await assert.rejects(save({ ...order, status: "late" }), (error) => {
    assert.ok(error instanceof ConditionalCheckFailedException);
    assert.equal(error.message, "The conditional request failed");
    assert.deepEqual(unmarshall(error.Item), written); // lib-dynamodb leaves errors as they are
    return true;
  });
  assert.deepEqual(await get("conditions", 1), written);
  await save({ ...written, status: "paid" });
  assert.deepEqual(await get("conditions", 1), { ...written, status: "paid", version: 2 });
}

export async function updates() {
  const Key = { customer: "updates", at: 1 };
  await put({ ...Key, note: "new", amount: 5, labels: new Set(["a", "b"]) });
  const update = async (ReturnValues, UpdateExpression, ExpressionAttributeValues) => {
    const input = { TableName, Key, ReturnValues, UpdateExpression, ExpressionAttributeValues };
    return (await db.send(new UpdateCommand(input))).Attributes;
  };
  const set =
    "SET amount = amount - :two, version = if_not_exists(version, :seven), " +
    "notes = list_append(if_not_exists(notes, :none), :first) REMOVE note";
  assert.deepEqual(
    await update("ALL_NEW", set, { ":two": 2, ":seven": 7, ":none": [], ":first": ["first"] }),
    { ...Key, amount: 3, version: 7, labels: new Set(["a", "b"]), notes: ["first"] },
  );
  assert.deepEqual(
    await update("UPDATED_OLD", "SET notes = list_append(notes, :second)", {
      ":second": ["second"],
    }),
    { notes: ["first"] },
  );
  assert.deepEqual(
    await update("UPDATED_NEW", "ADD version :ten DELETE labels :a", {
      ":ten": 10,
      ":a": new Set(["a"]),
    }),
    { version: 17, labels: new Set(["b"]) },
  );
  const { Attributes } = await db.send(
    new DeleteCommand({ TableName, Key, ReturnValues: "ALL_OLD" }),
  );
  assert.deepEqual(Attributes.notes, ["first", "second"]);
  assert.equal(await get("updates", 1), undefined);
}

/** Returns the times of orders in pages of three. */
async function timesInPages(query) {
  const pages = [];
  for await (const page of paginateQuery({ client: db, pageSize: 3 }, { TableName, ...query })) {
    pages.push(page.Items.map((order) => order.at));
  }
  return pages;
}

export async function pages() {
  for (const at of numbersTo(7)) {
    await put({
      customer: "pages",
      at,
      status: "paged",
      total: 10 * at,
      ...(at === 7 && { version: 1 }),
    });
  }
  const mine = {
    KeyConditionExpression: "customer = :c",
    ExpressionAttributeValues: { ":c": "pages" },
  };
  assert.deepEqual(await timesInPages(mine), [[1, 2, 3], [4, 5, 6], [7]]);
  assert.deepEqual(await timesInPages({ ...mine, ScanIndexForward: false }), [
    [7, 6, 5],
    [4, 3, 2],
    [1],
  ]);
  const paged = {
    IndexName: "by-status-and-total",
    KeyConditionExpression: "#s = :s AND #t BETWEEN :low AND :high",
    ExpressionAttributeNames: { "#s": "status", "#t": "total" },
    ExpressionAttributeValues: { ":s": "paged", ":low": 20, ":high": 60 },
  };
  assert.deepEqual(await timesInPages(paged), [
    [2, 3, 4],
    [5, 6],
  ]);
  assert.deepEqual(await timesInPages({ ...paged, ScanIndexForward: false }), [
    [6, 5, 4],
    [3, 2],
  ]);
  const changed = {
    IndexName: "by-total",
    ConsistentRead: true,
    KeyConditionExpression: "customer = :c",
    FilterExpression: "version > :zero",
    ExpressionAttributeValues: { ":c": "pages", ":zero": 0 },
  };
  assert.deepEqual(await timesInPages(changed), [[], [], [7]]);
  const { Count } = await db.send(new QueryCommand({ TableName, Select: "COUNT", ...mine }));
  assert.equal(Count, 7);
}

export async function parallelScan() {
  for (const at of numbersTo(200)) {
    await put({ customer: "scan", at, status: "scanned" });
  }
  const segment = async (Segment) => {
    const times = [];
    const scan = {
      TableName,
      Segment,
      TotalSegments: 4,
      FilterExpression: "#s = :s",
      ExpressionAttributeNames: { "#s": "status" },
      ExpressionAttributeValues: { ":s": "scanned" },
    };
    for await (const page of paginateScan({ client: db, pageSize: 30 }, scan)) {
      times.push(...page.Items.map((order) => order.at));
    }
    return times;
  };
  const found = await Promise.all([0, 1, 2, 3].map(segment));
  assert.deepEqual(
    found.flat().sort((a, b) => a - b),
    numbersTo(200),
  );
  const { Count } = await db.send(new ScanCommand({ TableName, Select: "COUNT" }));
  assert.ok(Count >= 200);
}

export async function batches() {
  const hit = await unprocessed("BatchWriteItem", "BatchGetItem");
  const customers = numbersTo(130).map((i) => `customer-${i}`);
  let puts = customers
    .slice(0, 60)
    .map((customer) => ({ PutRequest: { Item: { customer, at: 1, total: 10 } } }));
  while (puts.length > 0) {
    const RequestItems = { [TableName]: puts.slice(0, 25) };
    const { UnprocessedItems } = await db.send(new BatchWriteCommand({ RequestItems }));
    puts = [...puts.slice(25), ...(UnprocessedItems[TableName] ?? [])];
    await sleep(UnprocessedItems[TableName] ? 10 : 0);
  }
  let wanted = customers.map((customer) => ({ customer, at: 1 }));
  const found = [];
  while (wanted.length > 0) {
    const RequestItems = { [TableName]: { Keys: wanted.slice(0, 100) } };
    const { Responses, UnprocessedKeys } = await db.send(new BatchGetCommand({ RequestItems }));
    found.push(...Responses[TableName].map((order) => order.customer));
    wanted = [...wanted.slice(100), ...(UnprocessedKeys[TableName]?.Keys ?? [])];
  }
  assert.deepEqual(found.sort(), customers.slice(0, 60).sort());
  await hit();
}
