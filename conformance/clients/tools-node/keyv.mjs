// Keyv: a cache that several processes share.
import assert from "node:assert/strict";

import KeyvDynamo from "@keyv/dynamo";
import Keyv from "keyv";

import { advance, db, items, numbers, run } from "./steps.mjs";

/** The cache in a process of its own. */
const cache = (options) => new Keyv({ store: new KeyvDynamo({ tableName: "keyv" }), throwOnErrors: true, ...options });

const hour = 3600_000;
const invalid = { name: "ValidationException" };

await run("@keyv/dynamo", {
  /** Processes that start at the same time make one table. */
  async table() {
    await Promise.all(numbers(4).map((i) => cache().set(`start-${i}`, i)));
    const { TimeToLiveDescription } = await db.describeTimeToLive({ TableName: "keyv" });
    assert.equal(TimeToLiveDescription.AttributeName, "expiresAt");
    assert.equal((await items("keyv")).length, 4);
  },

  async values() {
    const value = { name: "chair", prices: [1, 2.5], none: null, at: "" };
    await cache().set("value", value, hour);
    assert.deepEqual(await cache().get("value"), value);
    assert.equal(await cache().get("none"), undefined);
    await cache({ namespace: "other" }).set("value", 1);
    assert.deepEqual(await cache().get("value"), value);
    assert.equal(await cache().delete("value"), true);
    assert.equal(await cache().delete("value"), false);
    assert.equal(await cache({ namespace: "other" }).get("value"), 1);
  },

  async batches() {
    await cache().setMany(numbers(20).map((i) => ({ key: `b${i}`, value: i })));
    assert.deepEqual(await cache().getMany(["b7", "none", "b3"]), [7, undefined, 3]);
    assert.equal(await cache().deleteMany(["b7", "b3"]), true);
    assert.deepEqual(await cache().getMany(["b7", "b4"]), [undefined, 4]);
  },

  /** What it asks in one batch is refused when it is too much. */
  async limits() {
    const store = new KeyvDynamo({ tableName: "keyv" });
    await assert.rejects(store.getMany(numbers(101).map((i) => `k${i}`)), invalid);
    await assert.rejects(store.getMany(["b4", "b4"]), invalid);
    for (const i of numbers(30)) await store.set(`c${i}`, i);
    await assert.rejects(store.clear(), invalid);
    await assert.rejects(store.set("large", "x".repeat(500_000)), invalid);
    assert.equal(await store.get("c29"), 29);
  },

  /** What is over by the cache's own clock is not there; the table loses it later. */
  async expiry() {
    await cache().set("short", 1, hour);
    await cache().set("long", 1, 30 * 24 * hour);
    assert.equal(await cache().get("short"), 1);
    await advance("96h");
    assert.deepEqual((await items("keyv")).map((i) => i.id.S.replace(/^.*:/, "")), ["long"]);
    assert.equal(await cache().get("short"), undefined);
  },
});
