// dynamodb-admin: its server, by the requests that its pages send.
import assert from "node:assert/strict";

import admin from "dynamodb-admin";

import { numbersTo, run } from "./scenario.mjs";

const server = admin.createServer({ dynamoEndpoint: process.env.DYNAMODB_ENDPOINT }).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const url = `http://127.0.0.1:${server.address().port}`;

/** Sends a request of a page, and returns the status and the text. */
async function send(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** Returns what a path answers with JSON. */
async function json(path) {
  const { status, text } = await send("GET", path);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

const items = (options) => json(`/tables/orders/items?${new URLSearchParams(options)}`);
const filter = (filters) => JSON.stringify(filters);

async function tables() {
  const made = await send("POST", "/create-table", {
    TableDefinition: {
      ...{ TableName: "orders", HashAttributeName: "customer", HashAttributeType: "S" },
      ...{ RangeAttributeName: "at", RangeAttributeType: "N" },
      ...{ ReadCapacityUnits: 3, WriteCapacityUnits: 3 },
    },
    SecondaryIndexes: [
      {
        ...{ IndexName: "by-status", IndexType: "global" },
        ...{ HashAttributeName: "status", HashAttributeType: "S" },
        ...{ ReadCapacityUnits: 3, WriteCapacityUnits: 3 },
      },
    ],
  });
  assert.equal(made.status, 204, made.text);
  const [table] = await json("/api/tables");
  assert.equal(table.GlobalSecondaryIndexes[0].IndexName, "by-status");
  for (const path of ["/", "/create-table", "/tables/orders", "/tables/orders/get", "/tables/orders/meta", "/tables/orders/ttl", "/tables/orders/add-item"]) {
    const { status, text } = await send("GET", path);
    assert.equal(status, 200, text);
    assert.match(text, /<html/);
  }
  const again = await send("POST", "/create-table", {
    TableDefinition: {
      ...{ TableName: "orders", HashAttributeName: "id", HashAttributeType: "S" },
      ...{ ReadCapacityUnits: 3, WriteCapacityUnits: 3 },
    },
  });
  assert.match(again.text, /Table already exists: orders/);
}

async function edits() {
  const order = { customer: "ann", at: 1, status: "new", lines: [{ product: "tea", amount: 1.5 }] };
  const added = await send("PUT", "/tables/orders/add-item", order);
  assert.deepEqual(JSON.parse(added.text), { customer: "ann", at: 1 });
  const path = "/tables/orders/items/ann,1";
  assert.match((await send("GET", path)).text, /tea/);
  const changed = await send("PUT", path, { ...order, status: "paid" });
  assert.deepEqual(JSON.parse(changed.text), { ...order, status: "paid" });
  const refused = await send("PUT", "/tables/orders/add-item", { customer: "ann" });
  assert.match(refused.text, /Missing the key at in the item/);
  assert.equal((await send("DELETE", path)).status, 204);
  assert.equal((await send("GET", path)).status, 404);
}

/** Returns the times of orders in all pages of a search. */
async function timesInPages(options) {
  const pages = [];
  let startKey = "";
  do {
    const page = await items({ pageSize: 3, startKey, ...options });
    pages.push(page.Items.map((order) => order.at));
    startKey = page.nextKey && decodeURIComponent(page.nextKey);
  } while (startKey);
  return pages;
}

async function pages() {
  for (const at of numbersTo(7)) {
    const order = { customer: "bob", at, status: at > 4 ? "paid" : "new" };
    await send("PUT", "/tables/orders/add-item", order);
  }
  assert.deepEqual((await timesInPages({ operationType: "scan" })).flat(), numbersTo(7));
  const mine = { customer: { operator: "=", type: "S", value: "bob" } };
  const query = { operationType: "query", queryableSelection: "table" };
  assert.deepEqual(await timesInPages({ ...query, filters: filter(mine) }), [[1, 2, 3], [4, 5, 6], [7]]);
  const late = { ...mine, at: { operator: ">", type: "N", value: "5" } };
  assert.deepEqual(await timesInPages({ ...query, filters: filter(late) }), [[6, 7]]);
  const paid = { status: { operator: "=", type: "S", value: "paid" } };
  const found = await timesInPages({ ...query, queryableSelection: "by-status", filters: filter(paid) });
  assert.deepEqual(found.flat().sort(), [5, 6, 7]);
}

async function purge() {
  assert.equal((await send("DELETE", "/tables/orders/all")).status, 200);
  assert.deepEqual((await items({})).Items, []);
}

async function deletion() {
  assert.equal((await send("DELETE", "/tables/orders")).status, 204);
  assert.deepEqual(await json("/api/tables"), []);
}

await run("dynamodb-admin", { tables, edits, pages, purge, deletion });
server.close();
server.closeAllConnections();
