// Dynamoose: a model and the table that it makes.
import assert from "node:assert/strict";

import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import dynamoose from "dynamoose";

import { advance, leftOut, numbersTo, parts, run, unprocessed } from "./scenario.mjs";

const attributes = {
  customer: { type: String, hashKey: true },
  at: { type: Number, rangeKey: true },
  status: { type: String, index: { name: "by-status", type: "global", rangeKey: "at" } },
  amount: { type: Number, index: { name: "by-amount", type: "local" } },
  version: Number,
  note: String,
  notes: { type: Array, schema: [String] },
  labels: { type: Set, schema: [String] },
  payload: dynamoose.type.ANY,
};
const Order = dynamoose.model("orders", new dynamoose.Schema(attributes, { saveUnknown: ["payload.**"] }));
const options = {
  throughput: "ON_DEMAND",
  waitForActive: { enabled: true, check: { timeout: 20_000, frequency: 50 } },
  expires: { ttl: 3600 * 1000, attribute: "expires" },
  tags: { team: "sales" },
  streamOptions: { enabled: true, type: "NEW_AND_OLD_IMAGES" },
  initialize: false,
};

async function tables() {
  const table = new dynamoose.Table("orders", [Order], options);
  await table.initialize();
  const ddb = dynamoose.aws.ddb();
  const { Table } = await ddb.describeTable({ TableName: "orders" });
  assert.deepEqual(Table.LocalSecondaryIndexes.map((index) => index.IndexName), ["by-amount"]);
  assert.deepEqual(Table.GlobalSecondaryIndexes.map((index) => index.IndexName), ["by-status"]);
  assert.equal(Table.StreamSpecification.StreamViewType, "NEW_AND_OLD_IMAGES");
  const { TimeToLiveDescription } = await ddb.describeTimeToLive({ TableName: "orders" });
  assert.deepEqual(TimeToLiveDescription, { AttributeName: "expires", TimeToLiveStatus: "ENABLED" });
  const { Tags } = await ddb.listTagsOfResource({ ResourceArn: Table.TableArn });
  assert.deepEqual(Tags, [{ Key: "team", Value: "sales" }]);
  await addIndex();
  const changed = await ddb.describeTable({ TableName: "orders" });
  assert.equal(changed.Table.GlobalSecondaryIndexes.length, 2);
  assert.deepEqual((await ddb.listTables()).TableNames, ["orders"]);
}

/** Gives the table a further index, as a later version of the program does. */
async function addIndex() {
  const later = new dynamoose.Instance();
  const note = { type: String, index: { name: "by-note", type: "global" } };
  const Later = dynamoose.model("later", new dynamoose.Schema({ ...attributes, note }));
  const table = new later.Table("orders", [Later], { ...options, create: false, update: ["indexes"] });
  await table.initialize();
}

/** Returns an item without the time that its table gives it. */
const plain = (order) => order && (({ expires, ...rest }) => rest)({ ...order });
const get = async (customer, at) => plain(await Order.get({ customer, at }, { consistent: true }));

async function conditions() {
  const written = { customer: "conditions", at: 1, status: "new", version: 1 };
  await Order.create(written);
  await assert.rejects(Order.create({ ...written, status: "late" }), ConditionalCheckFailedException);
  const save = (read) =>
    Order.update(
      { customer: "conditions", at: 1 },
      { $SET: { note: "paid" }, $ADD: { version: 1 } },
      { condition: new dynamoose.Condition().where("version").eq(read) },
    );
  await assert.rejects(save(2), { name: "ConditionalCheckFailedException", message: "The conditional request failed" });
  assert.deepEqual(await get("conditions", 1), written);
  assert.deepEqual(plain(await save(1)), { ...written, note: "paid", version: 2 });
}

async function updates() {
  const key = { customer: "updates", at: 1 };
  await Order.create({ ...key, note: "x", amount: 5, notes: ["first"], labels: new Set(["a", "b"]) });
  const changed = await Order.update(key, {
    $ADD: { amount: -2, notes: ["second"], labels: new Set(["c"]) },
    $SET: { version: 7 },
    $REMOVE: ["note"],
  });
  assert.deepEqual(plain(changed), {
    ...{ ...key, amount: 3, version: 7, notes: ["first", "second"], labels: new Set(["a", "b", "c"]) },
  });
  const old = await Order.update(key, { $DELETE: { labels: new Set(["a", "c"]) } }, { returnValues: "UPDATED_OLD" });
  assert.deepEqual(old.labels, new Set(["a", "b", "c"]));
  assert.deepEqual((await get("updates", 1)).labels, new Set(["b"]));
  await Order.delete(key);
  assert.equal(await get("updates", 1), undefined);
}

/** Returns the times of orders in pages of three. */
async function timesInPages(query) {
  const pages = [];
  let page;
  do {
    page = await query().limit(3).startAt(page?.lastKey).exec();
    pages.push(page.map((order) => order.at));
  } while (page.lastKey);
  return pages;
}

async function pages() {
  await Order.batchPut(
    numbersTo(7).map((at) => ({ customer: "pages", at, status: "paged", amount: 10 * at, version: at })),
  );
  const mine = () => Order.query("customer").eq("pages");
  assert.deepEqual(await timesInPages(mine), [[1, 2, 3], [4, 5, 6], [7]]);
  assert.deepEqual(await timesInPages(() => mine().sort("descending")), [[7, 6, 5], [4, 3, 2], [1]]);
  const paged = () => Order.query("status").eq("paged").where("at").between(2, 6).using("by-status");
  assert.deepEqual(await timesInPages(paged), [[2, 3, 4], [5, 6]]);
  assert.deepEqual(await timesInPages(() => paged().sort("descending")), [[6, 5, 4], [3, 2]]);
  const local = () => mine().where("amount").ge(50).using("by-amount");
  assert.deepEqual(await timesInPages(local), [[5, 6, 7], []]);
  const last = () => mine().filter("version").gt(6);
  assert.deepEqual(await timesInPages(last), [[], [], [7]]);
  assert.equal((await mine().count().exec()).count, 7);
}

async function parallelScan() {
  for (const part of parts(numbersTo(200), 25)) {
    await Order.batchPut(part.map((at) => ({ customer: "scan", at })));
  }
  const found = await Order.scan("customer").eq("scan").parallel(4).limit(30).all().exec();
  const times = found.map((order) => order.at);
  assert.deepEqual(times.sort((a, b) => a - b), numbersTo(200));
}

async function batches() {
  const hit = await unprocessed("BatchWriteItem", "BatchGetItem");
  const customers = numbersTo(130).map((i) => `customer-${i}`);
  let orders = customers.slice(0, 60).map((customer) => ({ customer, at: 1, amount: 10 }));
  while (orders.length > 0) {
    const { unprocessedItems } = await Order.batchPut(orders.slice(0, 25));
    orders = [...orders.slice(25), ...unprocessedItems];
  }
  let wanted = customers.map((customer) => ({ customer, at: 1 }));
  const found = [];
  while (wanted.length > 0) {
    const read = await Order.batchGet(wanted.slice(0, 100));
    found.push(...read.map((order) => order.customer));
    wanted = [...wanted.slice(100), ...read.unprocessedKeys];
  }
  assert.deepEqual(found.sort(), customers.slice(0, 60).sort());
  await hit();
}

async function transactions() {
  const customer = "transactions";
  await Order.batchPut(numbersTo(3).map((at) => ({ customer, at, amount: 10 * at })));
  const write = (expected) =>
    dynamoose.transaction([
      Order.transaction.create({ customer, at: 4, amount: 40 }),
      Order.transaction.update({ customer, at: 1 }, { $ADD: { amount: 1 } }),
      Order.transaction.delete({ customer, at: 2 }),
      Order.transaction.condition({ customer, at: 3 }, new dynamoose.Condition().where("amount").eq(expected)),
    ]);
  await assert.rejects(write(31), (error) => {
    assert.ok(error instanceof TransactionCanceledException);
    const codes = error.CancellationReasons.map((reason) => reason.Code);
    assert.deepEqual(codes, ["None", "None", "None", "ConditionalCheckFailed"]);
    return true;
  });
  assert.equal((await get(customer, 1)).amount, 10);
  await write(30);
  assert.equal(await get(customer, 2), undefined);
  const read = await dynamoose.transaction([1, 4].map((at) => Order.transaction.get({ customer, at })));
  assert.deepEqual(read.map((order) => order.amount), [11, 40]);
}

/** Dynamoose holds numbers as JavaScript does, and refuses to write what that cannot hold. */
async function numbers() {
  const payload = [0, -42, 1.5, Number.MAX_SAFE_INTEGER, 1e-130, -1e-130];
  await Order.create({ customer: "numbers", at: 1, payload });
  assert.deepEqual((await get("numbers", 1)).payload, payload);
  await assert.rejects(Order.create({ customer: "numbers", at: 2, amount: 2 ** 60 }), /MAX_SAFE_INTEGER/);
  assert.equal(await get("numbers", 2), undefined);
}

async function values() {
  const order = {
    customer: "values",
    at: 1,
    note: "a key of an index, which is not empty",
    notes: [],
    labels: new Set(["a", "ü"]),
    payload: {
      numbers: new Set([-1, 2.5]),
      list: ["a", 1.5, true, null, [[]]],
      map: { deep: { er: "x" } },
      null: null,
      true: true,
      false: false,
      text: "",
    },
  };
  await Order.create(order);
  assert.deepEqual(await get("values", 1), order);
}

async function expiry() {
  const before = Math.floor(Date.now() / 1000);
  await Order.create({ customer: "expiry", at: 1 });
  const { expires } = await Order.get({ customer: "expiry", at: 1 });
  assert.ok(expires.getTime() / 1000 - before >= 3600);
  await advance("20h");
  assert.equal(await get("expiry", 1), undefined);
}

await run("dynamoose", {
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
  deletion: leftOut("deletes no tables"),
});
