// OneTable: a model in a single table, which it makes.
import assert from "node:assert/strict";

import { DynamoDBClient, UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { Table } from "dynamodb-onetable";
import { Dynamo } from "dynamodb-onetable/Dynamo";

import { advance, leftOut, numbersTo, run, unprocessed } from "./scenario.mjs";

const client = new DynamoDBClient();
const table = new Table({
  name: "onetable",
  client: new Dynamo({ client }),
  partial: true,
  schema: {
    format: "onetable:1.1.0",
    version: "1.0.0",
    indexes: {
      primary: { hash: "pk", sort: "sk" },
      gs1: { hash: "gs1pk", sort: "gs1sk", project: "all" },
      ls1: { sort: "ls1sk", type: "local", project: "all" },
    },
    models: {
      Order: {
        pk: { type: String, value: "customer#${customer}" },
        sk: { type: String, value: "order#${at:6:0}" },
        gs1pk: { type: String, value: "status#${status}" },
        gs1sk: { type: String, value: "order#${at:6:0}" },
        ls1sk: { type: String, value: "amount#${amount:6:0}" },
        customer: { type: String, required: true },
        at: { type: Number, required: true },
        status: { type: String },
        amount: { type: Number },
        version: { type: Number },
        note: { type: String },
        notes: { type: Array, items: { type: String } },
        labels: { type: Set },
        payload: { type: Object },
        expires: { type: Date, ttl: true },
      },
      Account: {
        pk: { type: String, value: "account#${name}" },
        sk: { type: String, value: "account#" },
        name: { type: String, required: true },
        mail: { type: String, unique: true, required: true },
      },
    },
    params: { isoDates: false, timestamps: false, nulls: true },
  },
});
const Order = table.getModel("Order");

/** Returns an order without what OneTable hides or adds. */
const plain = (order) => order && { ...order };
const get = async (customer, at) => plain(await Order.get({ customer, at }, { consistent: true }));

async function tables() {
  await table.createTable();
  assert.equal(await table.exists(), true);
  const { Table: made } = await table.describeTable();
  assert.deepEqual(made.GlobalSecondaryIndexes.map((index) => index.IndexName), ["gs1"]);
  assert.deepEqual(made.LocalSecondaryIndexes.map((index) => index.IndexName), ["ls1"]);
  assert.deepEqual(await table.listTables(), ["onetable"]);
  await table.updateTable({
    create: { hash: "note", sort: "sk", name: "gs2", project: "all" },
  });
  const changed = await table.describeTable();
  assert.equal(changed.Table.GlobalSecondaryIndexes.length, 2);
  const TimeToLiveSpecification = { AttributeName: "expires", Enabled: true };
  const update = { TableName: "onetable", TimeToLiveSpecification };
  await client.send(new UpdateTimeToLiveCommand(update)); // OneTable leaves it to others
}

async function conditions() {
  const written = { customer: "conditions", at: 1, status: "new", version: 1 };
  await Order.create(written);
  await assert.rejects(Order.create({ ...written, status: "late" }), (error) => {
    assert.equal(error.code, "ConditionalCheckFailedException");
    return error.name === "OneTableError";
  });
  const save = (read) =>
    Order.update(
      { customer: "conditions", at: 1, note: "paid" },
      { add: { version: 1 }, where: "${version} = {" + read + "}" },
    );
  await assert.rejects(save(2), { code: "ConditionalCheckFailedException" });
  assert.deepEqual(await get("conditions", 1), written);
  assert.deepEqual(plain(await save(1)), { ...written, note: "paid", version: 2 });

  const Account = table.getModel("Account");
  await Account.create({ name: "ann", mail: "a@example.com" });
  await assert.rejects(Account.create({ name: "bob", mail: "a@example.com" }), { code: "UniqueError" });
}

async function updates() {
  const key = { customer: "updates", at: 1 };
  await Order.create({ ...key, note: "x", amount: 5, labels: new Set(["a", "b"]) });
  const changed = await Order.update(key, {
    set: { amount: "${amount} - {2}", version: "if_not_exists(${version}, {7})" },
    push: { notes: ["first"] },
    remove: ["note"],
    return: "ALL_NEW",
  });
  assert.deepEqual(
    [changed.amount, changed.version, changed.notes, changed.note],
    [3, 7, ["first"], undefined],
  );
  const old = await Order.update(key, { push: { notes: ["second"] }, return: "UPDATED_OLD" });
  assert.deepEqual(old.notes, ["first"]);
  const third = await Order.update(key, {
    add: { amount: 10 },
    delete: { labels: new Set(["a"]) },
    return: "ALL_NEW",
  });
  assert.deepEqual([third.amount, third.labels], [13, new Set(["b"])]);
  const deleted = await Order.remove(key);
  assert.deepEqual(deleted.notes, ["first", "second"]);
  assert.equal(await get("updates", 1), undefined);
}

/** Returns the times of orders in pages of three. */
async function timesInPages(properties, options) {
  const pages = [];
  let next;
  do {
    const page = await Order.find(properties, { limit: 3, next, maxPages: 1, ...options });
    pages.push(page.map((order) => order.at));
    next = page.next;
  } while (next);
  return pages;
}

async function pages() {
  for (const at of numbersTo(7)) {
    await Order.create({ customer: "pages", at, status: "paged", amount: 10 * at });
  }
  const mine = { customer: "pages" };
  assert.deepEqual(await timesInPages(mine), [[1, 2, 3], [4, 5, 6], [7]]);
  assert.deepEqual(await timesInPages(mine, { reverse: true }), [[7, 6, 5], [4, 3, 2], [1]]);
  const paged = {
    gs1pk: "status#paged",
    gs1sk: { between: ["order#000002", "order#000006"] },
  };
  assert.deepEqual(await timesInPages(paged, { index: "gs1" }), [[2, 3, 4], [5, 6]]);
  assert.deepEqual(await timesInPages(paged, { index: "gs1", reverse: true }), [[6, 5, 4], [3, 2]]);
  const local = { customer: "pages", ls1sk: { ">": "amount#000050" } };
  assert.deepEqual(await timesInPages(local, { index: "ls1" }), [[6, 7]]);
  assert.deepEqual(await timesInPages(mine, { where: "${amount} > {60}" }), [[], [], [7]]);
  assert.equal((await Order.find(mine, { count: true })).count, 7);
}

async function parallelScan() {
  for (const at of numbersTo(200)) {
    await Order.create({ customer: "scan", at });
  }
  const segment = async (segment) => {
    const orders = [];
    let next;
    do {
      const page = await Order.scan({ customer: "scan" }, { segment, segments: 4, limit: 30, next });
      orders.push(...page);
      next = page.next;
    } while (next);
    return orders;
  };
  const found = await Promise.all([0, 1, 2, 3].map(segment));
  const times = found.flatMap((orders) => orders.map((order) => order.at));
  assert.deepEqual(times.sort((a, b) => a - b), numbersTo(200));
}

/** OneTable repeats what a batch left of writes; of reads it does not (2.7.7). */
async function batches() {
  const hit = await unprocessed("BatchWriteItem");
  const customers = numbersTo(60).map((i) => `customer-${i}`);
  for (let i = 0; i < customers.length; i += 25) {
    const batch = {};
    for (const customer of customers.slice(i, i + 25)) {
      await Order.create({ customer, at: 1, amount: 10 }, { batch });
    }
    await table.batchWrite(batch);
  }
  const found = [];
  const wanted = numbersTo(130).map((i) => `customer-${i}`);
  for (let i = 0; i < wanted.length; i += 100) {
    const batch = {};
    for (const customer of wanted.slice(i, i + 100)) {
      await Order.get({ customer, at: 1 }, { batch });
    }
    const read = await table.batchGet(batch, { parse: true });
    found.push(...read.map((order) => order.customer));
  }
  assert.deepEqual(found.sort(), customers.sort());
  await hit();
}

async function transactions() {
  const customer = "transactions";
  for (const at of numbersTo(3)) {
    await Order.create({ customer, at, amount: 10 * at });
  }
  const write = async (expected) => {
    const transaction = {};
    await Order.create({ customer, at: 4, amount: 40 }, { transaction });
    await Order.update({ customer, at: 1 }, { add: { amount: 1 }, transaction });
    await Order.remove({ customer, at: 2 }, { transaction });
    await Order.check({ customer, at: 3 }, { where: "${amount} = {" + expected + "}", transaction });
    await table.transact("write", transaction);
  };
  await assert.rejects(write(31), (error) => {
    const reasons = error.context.err.CancellationReasons;
    assert.deepEqual(reasons.map((reason) => reason.Code), ["None", "None", "None", "ConditionalCheckFailed"]);
    return error.code === "TransactionCanceledException";
  });
  assert.equal((await get(customer, 1)).amount, 10);
  await write(30);
  const transaction = {};
  for (const at of [1, 4]) {
    await Order.get({ customer, at }, { transaction });
  }
  const read = await table.transact("get", transaction, { parse: true });
  assert.deepEqual(read.map((order) => order.amount), [11, 40]);
  assert.equal(await get(customer, 2), undefined);
}

async function values() {
  const order = {
    customer: "values",
    at: 1,
    notes: [],
    labels: new Set(["a", "ü"]),
    payload: {
      numbers: new Set([-1, 2.5]),
      list: ["a", 1.5, true, null, [[]]],
      map: { deep: { er: "x" } },
      true: true,
      false: false,
      text: "",
    },
  };
  await Order.create(order);
  assert.deepEqual(await get("values", 1), order);
}

/** OneTable holds numbers as JavaScript does. */
async function numbers() {
  const payload = { all: [0, -42, 1.5, Number.MAX_SAFE_INTEGER, 1e-130, -1e-130] };
  await Order.create({ customer: "numbers", at: 1, payload });
  assert.deepEqual((await get("numbers", 1)).payload, payload);
}

async function expiry() {
  const expires = new Date(1000 * (Math.floor(Date.now() / 1000) + 3600));
  await Order.create({ customer: "expiry", at: 1, expires });
  assert.deepEqual((await get("expiry", 1)).expires, expires);
  await advance("20h");
  assert.equal(await get("expiry", 1), undefined);
}

async function deletion() {
  await table.deleteTable("DeleteTableForever");
  assert.equal(await table.exists(), false);
  await assert.rejects(Order.get({ customer: "x", at: 1 }), { code: "ResourceNotFoundException" });
}

await run("dynamodb-onetable", {
  tables,
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
  deletion,
});
