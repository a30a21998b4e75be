// rate-limiter-flexible: a login with five tries a minute, in several processes.
import assert from "node:assert/strict";

import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { RateLimiterDynamo } from "rate-limiter-flexible";

import { advance, db, items, numbers, pass, run } from "./steps.mjs";

const tableName = "limits";

/** A limiter in a process of its own, when it is ready. */
const limiter = (options) =>
  new Promise((resolve, reject) => {
    const made = new RateLimiterDynamo(
      { storeClient: new DynamoDB(), tableName, points: 5, duration: 60, tableCreated: true, ...options },
      (error) => (error ? reject(error) : resolve(made)),
    );
  });

await run("rate-limiter-flexible", {
  /** The first start makes the table, and asks for its expiry while it is made: that is refused. */
  async table() {
    const refused = new Promise((resolve) => process.on("unhandledRejection", resolve));
    await limiter({ tableCreated: false });
    assert.match((await refused).message, /table is in CREATING state/);
    await advance("10s");
    await limiter();
    const { TimeToLiveDescription } = await db.describeTimeToLive({ TableName: tableName });
    assert.equal(TimeToLiveDescription.AttributeName, "expire");
  },

  async limit() {
    const first = await limiter();
    for (const i of numbers(5)) {
      assert.equal((await first.consume("ann")).remainingPoints, 4 - i);
    }
    const refused = await first.consume("ann").catch((r) => r);
    assert.equal(refused.remainingPoints, 0);
    assert.ok(refused.msBeforeNext > 0 && refused.msBeforeNext <= 60_000, refused.msBeforeNext);
    // Another process knows of it, and other keys are free.
    await assert.rejects((await limiter()).consume("ann"), (r) => r.consumedPoints === 7);
    assert.equal((await (await limiter()).consume("bob")).remainingPoints, 4);
    assert.equal((await first.get("ann")).consumedPoints, 7);
    assert.equal(await first.get("none"), null);
    assert.equal(await first.delete("ann"), true);
    assert.equal(await first.delete("ann"), false);
    assert.equal((await first.consume("ann")).remainingPoints, 4);
  },

  /** Of 20 tries at the same time five are allowed. */
  async race() {
    const all = await Promise.all(numbers(20).map(() => limiter()));
    const ends = await Promise.allSettled(all.map((one) => one.consume("race")));
    assert.equal(ends.filter((e) => e.status === "fulfilled").length, 5);
    for (const { reason } of ends.filter((e) => e.status === "rejected")) {
      assert.ok(reason.consumedPoints > 5, String(reason));
    }
    assert.equal((await all[0].get("race")).consumedPoints, 20);
  },

  async block() {
    const first = await limiter();
    await first.block("eve", 3600);
    await assert.rejects((await limiter()).consume("eve"), (r) => r.msBeforeNext > 60_000);
    await first.penalty("tom", 3);
    await first.reward("tom", 1);
    assert.equal((await first.consume("tom")).consumedPoints, 3);
  },

  /** After a minute the tries of before do not count, though their item is still there. */
  async window() {
    const first = await limiter();
    await first.consume("zoe", 5);
    await assert.rejects(first.consume("zoe"), (r) => r.consumedPoints === 6);
    await pass(61);
    assert.equal((await first.consume("zoe")).remainingPoints, 4);
    await assert.rejects(first.consume("eve"), (r) => r.msBeforeNext > 0);
  },

  /** Items go when their time is over, and those without one stay. */
  async expiry() {
    await (await limiter({ duration: 0 })).consume("forever");
    await pass(5 * 24 * 3600);
    assert.deepEqual((await items(tableName)).map((i) => i.key.S), ["rlflx:forever"]);
  },
});
