// Powertools for AWS Lambda: a function that charges once for each order.
import assert from "node:assert/strict";

import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyPersistenceLayerError,
  IdempotencyValidationError,
  makeIdempotent,
} from "@aws-lambda-powertools/idempotency";
import { DynamoDBPersistenceLayer } from "@aws-lambda-powertools/idempotency/dynamodb";

import { advance, createTable, items, run } from "./steps.mjs";

const tableName = "idempotency";
const charged = [];
const count = (order) => charged.filter((o) => o === order).length;

/** Invokes the function in a process of its own: no record is in its memory. */
function invoke(event, { work = async () => {}, left = 60_000, persistence, ...options } = {}) {
  const config = new IdempotencyConfig({ eventKeyJmesPath: "order", ...options });
  config.registerLambdaContext({ getRemainingTimeInMillis: () => left });
  const handler = makeIdempotent(
    async (event) => {
      await work(event);
      charged.push(event.order);
      return { receipt: charged.length };
    },
    { persistenceStore: new DynamoDBPersistenceLayer({ tableName, ...persistence }), config },
  );
  return handler(event);
}

const never = () => new Promise(() => {});

/** Runs the function until it works, and no further. */
const dies = (order, left) =>
  new Promise((resolve) => {
    invoke({ order }, { left, work: () => (resolve(), never()) });
  });

await createTable(tableName, ["id"], "expiration");
await run("@aws-lambda-powertools/idempotency", {
  async once() {
    assert.deepEqual(await invoke({ order: "once" }), { receipt: 1 });
    assert.deepEqual(await invoke({ order: "once" }), { receipt: 1 });
    await invoke({ order: "another" });
    assert.deepEqual(charged, ["once", "another"]);
  },

  /** The event comes again while the function works. */
  async "in progress"() {
    const work = (event) => assert.rejects(invoke(event), IdempotencyAlreadyInProgressError);
    await invoke({ order: "busy" }, { work });
    await invoke({ order: "busy" });
    assert.equal(count("busy"), 1);
  },

  /** A function dies: its record holds until its time is over. */
  async "lost time"() {
    await dies("slow", 60_000);
    await assert.rejects(invoke({ order: "slow" }), IdempotencyAlreadyInProgressError);
    assert.equal(count("slow"), 0);
    await dies("late", -1000);
    await invoke({ order: "late" });
    assert.equal(count("late"), 1);
  },

  async payload() {
    const checked = { payloadValidationJmesPath: "amount", throwOnNoIdempotencyKey: true };
    await invoke({ order: "paid", amount: 5 }, checked);
    await invoke({ order: "paid", amount: 5 }, checked);
    await assert.rejects(invoke({ order: "paid", amount: 6 }, checked), IdempotencyValidationError);
    assert.equal(count("paid"), 1);
  },

  /** An order that failed is charged when it comes again; without its table none is. */
  async failure() {
    const work = async () => {
      throw new Error("no card");
    };
    await assert.rejects(invoke({ order: "failed" }, { work }), /no card/);
    await invoke({ order: "failed" });
    assert.equal(count("failed"), 1);
    const persistence = { tableName: "none" };
    await assert.rejects(invoke({ order: "lost" }, { persistence }), IdempotencyPersistenceLayerError);
    assert.equal(count("lost"), 0);
  },

  async expiry() {
    await invoke({ order: "old" }, { expiresAfterSeconds: 3600 });
    await advance("30m");
    await invoke({ order: "old" });
    assert.equal(count("old"), 1);
    await advance("96h");
    assert.deepEqual(await items(tableName), []);
    await invoke({ order: "old" });
    assert.equal(count("old"), 2);
  },
});
