// DynamoDB-Toolbox: an entity in a single table.
import assert from "node:assert/strict";

import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import {
  $add,
  $append,
  $delete,
  $get,
  $remove,
  $subtract,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteItemCommand,
  DeleteTransaction,
  Entity,
  GetItemCommand,
  GetTransaction,
  PutItemCommand,
  PutTransaction,
  QueryCommand,
  ScanCommand,
  Table,
  UpdateItemCommand,
  UpdateTransaction,
  any,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
  isConditionCheckFailed,
  item,
  list,
  number,
  set,
  string,
} from "dynamodb-toolbox";

import {
  advance,
  edges,
  leftOut,
  numbersTo,
  parts,
  run,
  tooLong,
  tooLongMessage,
  unprocessed,
} from "./scenario.mjs";
import { client, createTable, table } from "./single-table.mjs";

const documentClient = DynamoDBDocumentClient.from(client);
const Shop = new Table({
  documentClient,
  name: table,
  partitionKey: { name: "pk", type: "string" },
  sortKey: { name: "sk", type: "string" },
  indexes: {
    gsi1: {
      type: "global",
      partitionKey: { name: "gsi1pk", type: "string" },
      sortKey: { name: "gsi1sk", type: "string" },
    },
  },
});
const time = (at) => String(at).padStart(6, "0");
const Order = new Entity({
  name: "order",
  table: Shop,
  timestamps: false,
  schema: item({
    customer: string().key(),
    at: number().key(),
    status: string().optional().savedAs("gsi1pk"),
    amount: number().optional(),
    version: number().optional(),
    note: string().optional(),
    notes: list(string()).optional(),
    labels: set(string()).optional(),
    expires: number().optional(),
    payload: any().optional(),
  }).and((order) => ({
    indexed: string()
      .optional()
      .hidden()
      .savedAs("gsi1sk")
      .putLink(({ at }) => time(at)),
  })),
  computeKey: ({ customer, at }) => ({ pk: customer, sk: time(at) }),
});

const put = (order) => Order.build(PutItemCommand).item(order).send();
const get = async (customer, at) =>
  (await Order.build(GetItemCommand).key({ customer, at }).options({ consistent: true }).send())
    .Item;

/** Writes orders in batches. */
async function putAll(orders, options = {}) {
  for (const part of parts(orders, 25)) {
    const requests = part.map((order) => Order.build(BatchPutRequest).item(order));
    await executeBatchWrite(
      { maxAttempts: 10, ...options },
      Shop.build(BatchWriteCommand).requests(...requests),
    );
  }
}

async function conditions() {
  const written = { customer: "conditions", at: 1, status: "new", version: 1 };
  const create = (order) =>
    Order.build(PutItemCommand)
      .item(order)
      .options({
        condition: { attr: "customer", exists: false },
        returnValuesOnConditionFalse: "ALL_OLD",
      })
      .send();
  await create(written);
  await assert.rejects(create({ ...written, status: "late" }), (error) => {
    assert.ok(isConditionCheckFailed(error, Order));
    assert.deepEqual(error.FormattedItem, written);
    return true;
  });
  const save = (read) =>
    Order.build(UpdateItemCommand)
      .item({ customer: "conditions", at: 1, note: "paid", version: $add(1) })
      .options({ condition: { attr: "version", eq: read }, returnValues: "ALL_NEW" })
      .send();
  await assert.rejects(save(2), (error) => isConditionCheckFailed(error));
  assert.deepEqual(await get("conditions", 1), written);
  assert.deepEqual((await save(1)).Attributes, { ...written, note: "paid", version: 2 });
}

async function updates() {
  const key = { customer: "updates", at: 1 };
  await put({ ...key, note: "x", amount: 5, labels: new Set(["a", "b"]) });
  const update = async (returnValues, changes) =>
    (
      await Order.build(UpdateItemCommand)
        .item({ ...key, ...changes })
        .options({ returnValues })
        .send()
    ).Attributes;
  const changed = await update("ALL_NEW", {
    amount: $subtract($get("amount"), 2),
    version: $get("version", 7),
    notes: $append(["first"]),
    note: $remove(),
  });
  assert.deepEqual(changed, {
    ...key,
    amount: 3,
    version: 7,
    labels: new Set(["a", "b"]),
    notes: ["first"],
  });
  assert.deepEqual((await update("UPDATED_OLD", { notes: $append(["second"]) })).notes, ["first"]);
  const third = await update("UPDATED_NEW", { amount: $add(10), labels: $delete(new Set(["a"])) });
  assert.deepEqual([third.amount, third.labels], [13, new Set(["b"])]);
  const deleted = await Order.build(DeleteItemCommand)
    .key(key)
    .options({ returnValues: "ALL_OLD" })
    .send();
  assert.deepEqual(deleted.Attributes.notes, ["first", "second"]);
  assert.equal(await get("updates", 1), undefined);
}

/** Returns the times of orders in pages of three. */
async function timesInPages(query, options) {
  const pages = [];
  let exclusiveStartKey;
  do {
    const page = await Shop.build(QueryCommand)
      .query(query)
      .entities(Order)
      .options({ limit: 3, exclusiveStartKey, ...options })
      .send();
    pages.push(page.Items.map((order) => order.at));
    exclusiveStartKey = page.LastEvaluatedKey;
  } while (exclusiveStartKey);
  return pages;
}

async function pages() {
  await putAll(
    numbersTo(7).map((at) => ({ customer: "pages", at, status: "paged", amount: 10 * at })),
  );
  const mine = { partition: "pages" };
  assert.deepEqual(await timesInPages(mine), [[1, 2, 3], [4, 5, 6], [7]]);
  assert.deepEqual(await timesInPages(mine, { reverse: true }), [[7, 6, 5], [4, 3, 2], [1]]);
  const paged = { index: "gsi1", partition: "paged", range: { between: [time(2), time(6)] } };
  assert.deepEqual(await timesInPages(paged), [
    [2, 3, 4],
    [5, 6],
  ]);
  assert.deepEqual(await timesInPages(paged, { reverse: true }), [
    [6, 5, 4],
    [3, 2],
  ]);
  const large = { filters: { order: { attr: "amount", gt: 60 } } };
  assert.deepEqual(await timesInPages(mine, large), [[], [], [7]]);
  assert.deepEqual(await timesInPages(mine, { maxPages: Infinity }), [numbersTo(7)]);
  const { Count } = await Shop.build(QueryCommand).query(mine).options({ select: "COUNT" }).send();
  assert.equal(Count, 7);
}

async function parallelScan() {
  await putAll(numbersTo(200).map((at) => ({ customer: "scan", at })));
  const segment = (segment) =>
    Shop.build(ScanCommand)
      .entities(Order)
      .options({
        ...{ segment, totalSegments: 4, limit: 30, maxPages: Infinity },
        filters: { order: { attr: "customer", eq: "scan" } },
      })
      .send();
  const found = await Promise.all([0, 1, 2, 3].map(segment));
  const times = found.flatMap(({ Items }) => Items.map((order) => order.at));
  assert.deepEqual(
    times.sort((a, b) => a - b),
    numbersTo(200),
  );
}

async function batches() {
  const hit = await unprocessed("BatchWriteItem", "BatchGetItem");
  const customers = numbersTo(130).map((i) => `customer-${i}`);
  await putAll(customers.slice(0, 60).map((customer) => ({ customer, at: 1, amount: 10 })));
  const found = [];
  for (const part of parts(customers, 100)) {
    const requests = part.map((customer) => Order.build(BatchGetRequest).key({ customer, at: 1 }));
    const { Responses } = await executeBatchGet(
      { maxAttempts: 10 },
      Shop.build(BatchGetCommand).requests(...requests),
    );
    found.push(...Responses[0].filter(Boolean).map((order) => order.customer));
  }
  assert.deepEqual(found.sort(), customers.slice(0, 60).sort());
  await hit();
}

async function transactions() {
  const customer = "transactions";
  await putAll(numbersTo(3).map((at) => ({ customer, at, amount: 10 * at })));
  const write = (expected, clientRequestToken) =>
    executeTransactWrite(
      { clientRequestToken },
      Order.build(PutTransaction).item({ customer, at: 4, amount: 40 }),
      Order.build(UpdateTransaction).item({ customer, at: 1, amount: $add(1) }),
      Order.build(DeleteTransaction).key({ customer, at: 2 }),
      Order.build(ConditionCheck)
        .key({ customer, at: 3 })
        .condition({ attr: "amount", eq: expected })
        .options({ returnValuesOnConditionFalse: "ALL_OLD" }),
    );
  await assert.rejects(write(31), (error) => {
    assert.equal(error.name, "TransactionCanceledException");
    const codes = error.CancellationReasons.map((reason) => reason.Code);
    assert.deepEqual(codes, ["None", "None", "None", "ConditionalCheckFailed"]);
    assert.equal(error.CancellationReasons[3].Item.amount.N, "30");
    return true;
  });
  assert.equal((await get(customer, 1)).amount, 10);
  await write(30, "once");
  await write(30, "once"); // a repeat changes nothing
  const { Responses } = await executeTransactGet(
    ...[1, 2, 4].map((at) => Order.build(GetTransaction).key({ customer, at })),
  );
  assert.deepEqual(
    Responses.map(({ Item }) => Item?.amount),
    [11, undefined, 40],
  );
}

/** Attributes of big numbers hold integers as a BigInt; fractions are those of JavaScript. */
async function numbers() {
  const Big = new Entity({
    name: "big",
    table: Shop,
    timestamps: false,
    schema: item({ pk: string().key(), sk: string().key(), numbers: list(number().big()) }),
  });
  const key = { pk: "numbers", sk: "1" };
  const integers = edges.filter((edge) => !edge.includes("."));
  const write = (numbers) =>
    Big.build(PutItemCommand)
      .item({ ...key, numbers })
      .send();
  await write([...integers.map(BigInt), 1.5, -1e-130]);
  const { Item } = await Big.build(GetItemCommand).key(key).send();
  assert.deepEqual(Item.numbers.slice(0, -2).map(String), integers);
  assert.deepEqual(Item.numbers.slice(-2), [1.5, -1e-130]);
  await assert.rejects(write([BigInt(tooLong)]), {
    name: "ValidationException",
    message: tooLongMessage,
  });
}

async function values() {
  const payload = {
    strings: new Set(["a", "ü"]),
    numbers: new Set([-1, 2.5]),
    binaries: new Set([Uint8Array.of(), Uint8Array.of(0, 255)]),
    list: ["a", 1.5, true, null, [[]]],
    map: { deep: { er: "x" } },
    null: null,
    true: true,
    false: false,
    text: "",
    binary: new Uint8Array(),
  };
  const order = {
    customer: "values",
    at: 1,
    note: "",
    notes: [],
    labels: new Set(["a", "b"]),
    payload,
  };
  await put(order);
  assert.deepEqual(await get("values", 1), order);
}

async function expiry() {
  const expires = Math.floor(Date.now() / 1000) + 3600;
  await put({ customer: "expiry", at: 1, expires });
  assert.equal((await get("expiry", 1)).expires, expires);
  await advance("20h");
  assert.equal(await get("expiry", 1), undefined);
}

await createTable();
await run("dynamodb-toolbox", {
  tables: leftOut("makes no tables"),
  conditions,
  updates,
  pages,
  "parallel scan": parallelScan,
  batches,
  transactions,
  PartiQL: leftOut("has no PartiQL"),
  streams: leftOut("reads no streams"),
  numbers,
  values,
  expiry,
  deletion: leftOut("deletes no tables"),
});
