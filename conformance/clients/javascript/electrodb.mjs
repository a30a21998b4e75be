// ElectroDB: an entity in a single table.
import assert from "node:assert/strict";

import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, NumberValue } from "@aws-sdk/lib-dynamodb";
import { Entity, Service } from "electrodb";

import {
  advance,
  edges,
  leftOut,
  numbersTo,
  run,
  tooLong,
  tooLongMessage,
  unprocessed,
} from "./scenario.mjs";
import { client, createTable, table } from "./single-table.mjs";

const Order = new Entity(
  {
    model: { entity: "order", version: "1", service: "shop" },
    attributes: {
      customer: { type: "string", required: true },
      at: { type: "number", required: true, padding: { length: 6, char: "0" } },
      status: { type: "string" },
      amount: { type: "number" },
      version: { type: "number" },
      note: { type: "string" },
      notes: { type: "list", items: { type: "string" } },
      labels: { type: "set", items: "string" },
      expires: { type: "number" },
      payload: { type: "any" },
    },
    indexes: {
      byCustomer: {
        pk: { field: "pk", composite: ["customer"] },
        sk: { field: "sk", composite: ["at"] },
      },
      byStatus: {
        index: "gsi1",
        pk: { field: "gsi1pk", composite: ["status"] },
        sk: { field: "gsi1sk", composite: ["at"] },
      },
    },
  },
  { client, table },
);
const shop = new Service({ order: Order });

const get = async (customer, at) =>
  (await Order.get({ customer, at }).go({ consistent: true })).data;

async function conditions() {
  const written = { customer: "conditions", at: 1, status: "new", version: 1 };
  assert.deepEqual((await Order.create(written).go()).data, written);
  const again = { ...written, status: "late" };
  assert.deepEqual(await Order.create(again).go({ returnOnConditionCheckFailure: "all_old" }), {
    rejected: true,
    data: written,
  });
  await assert.rejects(Order.create(again).go(), (error) => {
    assert.equal(error.cause.name, "ConditionalCheckFailedException");
    return error.isElectroError;
  });
  const save = (read) =>
    Order.patch({ customer: "conditions", at: 1 })
      .set({ note: "paid" })
      .add({ version: 1 })
      .where(({ version }, { eq }) => eq(version, read))
      .go({ response: "all_new" });
  await assert.rejects(save(2), { name: "ElectroError" });
  assert.deepEqual(await get("conditions", 1), written);
  assert.deepEqual((await save(1)).data, { ...written, note: "paid", version: 2 });
}

async function updates() {
  const key = { customer: "updates", at: 1 };
  await Order.put({ ...key, note: "x", amount: 5, labels: ["a", "b"] }).go();
  const changed = await Order.update(key)
    .data(({ amount, version, notes, note }, { subtract, ifNotExists, append, remove }) => {
      subtract(amount, 2);
      ifNotExists(version, 7);
      append(notes, ["first"]);
      remove(note);
    })
    .go({ response: "all_new" });
  assert.deepEqual(changed.data, {
    ...key,
    amount: 3,
    version: 7,
    labels: ["a", "b"],
    notes: ["first"],
  });
  const second = await Order.update(key)
    .append({ notes: ["second"] })
    .go({ response: "updated_old" });
  assert.deepEqual(second.data.notes, ["first"]);
  const third = await Order.update(key)
    .add({ amount: 10 })
    .delete({ labels: ["a"] })
    .go({ response: "updated_new" });
  assert.deepEqual([third.data.amount, third.data.labels], [13, ["b"]]);
  const deleted = await Order.delete(key).go({ response: "all_old" });
  assert.deepEqual(deleted.data.notes, ["first", "second"]);
  assert.equal(await get("updates", 1), null);
}

/** Returns the times of orders in pages of three. */
async function timesInPages(query, options) {
  const pages = [];
  let cursor = null;
  do {
    const page = await query.go({ limit: 3, cursor, ...options });
    pages.push(page.data.map((order) => order.at));
    cursor = page.cursor;
  } while (cursor);
  return pages;
}

async function pages() {
  const orders = numbersTo(7).map((at) => ({
    customer: "pages",
    at,
    status: "paged",
    amount: 10 * at,
  }));
  await Order.put(orders).go();
  const mine = Order.query.byCustomer({ customer: "pages" });
  assert.deepEqual(await timesInPages(mine), [[1, 2, 3], [4, 5, 6], [7]]);
  assert.deepEqual(await timesInPages(mine, { order: "desc" }), [[7, 6, 5], [4, 3, 2], [1]]);
  const paged = Order.query.byStatus({ status: "paged" }).between({ at: 2 }, { at: 6 });
  assert.deepEqual(await timesInPages(paged), [
    [2, 3, 4],
    [5, 6],
  ]);
  assert.deepEqual(await timesInPages(paged, { order: "desc" }), [
    [6, 5, 4],
    [3, 2],
  ]);
  const large = Order.query
    .byCustomer({ customer: "pages" })
    .where(({ amount }, { gt }) => gt(amount, 60));
  assert.deepEqual(await timesInPages(large), [[], [], [7]]);
  const counted = await Order.query.byCustomer({ customer: "pages" }).go({ count: 5 });
  assert.equal(counted.data.length, 5);
  assert.deepEqual(
    await timesInPages(mine, { cursor: counted.cursor, limit: undefined, pages: "all" }),
    [[6, 7]],
  );
}

async function parallelScan() {
  await Order.put(numbersTo(200).map((at) => ({ customer: "scan", at }))).go({ concurrent: 4 });
  const segment = (Segment) =>
    Order.scan
      .where(({ customer }, { eq }) => eq(customer, "scan"))
      .go({ pages: "all", params: { Segment, TotalSegments: 4, Limit: 30 } });
  const found = await Promise.all([0, 1, 2, 3].map(segment));
  const times = found.flatMap(({ data }) => data.map((order) => order.at));
  assert.deepEqual(
    times.sort((a, b) => a - b),
    numbersTo(200),
  );
}

async function batches() {
  const hit = await unprocessed("BatchWriteItem", "BatchGetItem");
  const customers = numbersTo(130).map((i) => `customer-${i}`);
  let orders = customers.slice(0, 60).map((customer) => ({ customer, at: 1, amount: 10 }));
  while (orders.length > 0) {
    orders = (await Order.put(orders).go()).unprocessed;
  }
  let wanted = customers.map((customer) => ({ customer, at: 1 }));
  const found = [];
  while (wanted.length > 0) {
    const read = await Order.get(wanted).go();
    found.push(...read.data.map((order) => order.customer));
    wanted = read.unprocessed;
  }
  assert.deepEqual(found.sort(), customers.slice(0, 60).sort());
  await hit();
}

async function transactions() {
  const customer = "transactions";
  await Order.put(numbersTo(3).map((at) => ({ customer, at, amount: 10 * at }))).go();
  const write = (expected, token) =>
    shop.transaction
      .write(({ order }) => [
        order.put({ customer, at: 4, amount: 40 }).commit(),
        order.update({ customer, at: 1 }).add({ amount: 1 }).commit(),
        order.delete({ customer, at: 2 }).commit(),
        order
          .check({ customer, at: 3 })
          .where(({ amount }, { eq }) => eq(amount, expected))
          .commit({ response: "all_old" }),
      ])
      .go({ token });
  const cancelled = await write(31);
  assert.equal(cancelled.canceled, true);
  assert.deepEqual(
    cancelled.data.map(({ code }) => code),
    ["None", "None", "None", "ConditionalCheckFailed"],
  );
  assert.deepEqual(cancelled.data[3].item, { customer, at: 3, amount: 30 });
  assert.equal((await get(customer, 1)).amount, 10);
  assert.equal((await write(30, "once")).canceled, false);
  assert.equal((await write(30, "once")).canceled, false); // a repeat changes nothing
  const { data } = await shop.transaction
    .get(({ order }) => [1, 2, 4].map((at) => order.get({ customer, at }).commit()))
    .go();
  assert.deepEqual(
    data.map(({ item }) => item?.amount),
    [11, undefined, 40],
  );
}

/** ElectroDB holds all numbers if its document client wraps them. */
async function numbers() {
  const exact = DynamoDBDocumentClient.from(new DynamoDB(), {
    unmarshallOptions: { wrapNumbers: true },
  });
  const Exact = new Entity(Order.schema, { client: exact, table });
  const key = { customer: "numbers", at: 1 };
  await Exact.put({ ...key, payload: edges.map((edge) => NumberValue.from(edge)) }).go();
  const { data } = await Exact.get(key).go();
  assert.deepEqual(
    data.payload.map(({ value }) => value),
    edges,
  );
  const refused = Order.put({ ...key, payload: NumberValue.from(tooLong) }).go();
  await assert.rejects(refused, (error) => {
    assert.match(error.message, tooLongMessage);
    return error.cause.name === "ValidationException";
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
  const order = { customer: "values", at: 1, note: "", notes: [], labels: ["a", "b"], payload };
  await Order.put(order).go();
  assert.deepEqual(await get("values", 1), order);
}

async function expiry() {
  const expires = Math.floor(Date.now() / 1000) + 3600;
  await Order.put({ customer: "expiry", at: 1, expires }).go();
  assert.equal((await get("expiry", 1)).expires, expires);
  await advance("20h");
  assert.equal(await get("expiry", 1), null);
}

await createTable();
await run("electrodb", {
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
