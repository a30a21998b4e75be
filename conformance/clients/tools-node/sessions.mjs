// connect-dynamodb: the sessions of an Express server.
import assert from "node:assert/strict";
import { promisify } from "node:util";

import connect from "connect-dynamodb";
import session from "express-session";

import { advance, db, items, numbers, pass, run } from "./steps.mjs";

const Store = connect(session);

/** The store of a server, with promises in place of callbacks. */
function store(options) {
  const made = new Store({ table: "sessions", ...options });
  const call = (name) => promisify(made[name].bind(made));
  return { initialize: () => made.initialize(), ...Object.fromEntries(
    ["get", "set", "touch", "destroy", "reap"].map((name) => [name, call(name)])) };
}

/** A session that lives for so many seconds. */
const cookie = (seconds, more) => ({ cookie: { maxAge: seconds * 1000 }, ...more });

await run("connect-dynamodb", {
  async table() {
    await store().initialize();
    await store().initialize();
    const { Table } = await db.describeTable({ TableName: "sessions" });
    assert.deepEqual(Table.KeySchema, [{ AttributeName: "id", KeyType: "HASH" }]);
  },

  async sessions() {
    await store().set("ann", cookie(3600, { cart: ["chair"] }));
    assert.deepEqual((await store().get("ann")).cart, ["chair"]);
    assert.equal(await store().get("bob"), null);
    await store().destroy("ann");
    assert.equal(await store().get("ann"), null);
    await assert.rejects(store().set("ann", cookie(60, { cart: "x".repeat(500_000) })), /size/);
  },

  async "own attributes"() {
    const specialKeys = [{ name: "user", type: "S" }];
    await store({ specialKeys }).set("ann", cookie(3600, { user: "ann" }));
    assert.deepEqual((await items("sessions")).map((i) => i.user), [{ S: "ann" }]);
    await store().destroy("ann");
  },

  /** The store deletes what is over itself, also what is on the second page of a scan of 1 MB. */
  async reaping() {
    const wide = "x".repeat(100_000);
    for (const i of numbers(20)) {
      await store().set(`old-${i}`, cookie(60, { wide }));
    }
    await store().set("new", cookie(3600));
    await pass(120);
    assert.equal(await store().get("old-3"), null);
    assert.equal((await items("sessions")).length, 21);
    const { reap } = store();
    while ((await items("sessions")).length > 1) {
      await reap();
    }
    assert.notEqual(await store().get("new"), null);
    await store().destroy("new");
  },

  /** A table whose attribute "expires" is that of expiry needs no reaping; a touch is more time. */
  async expiry() {
    await db.updateTimeToLive({
      TableName: "sessions",
      TimeToLiveSpecification: { Enabled: true, AttributeName: "expires" },
    });
    await store().set("short", cookie(3600));
    await store().set("long", cookie(3600));
    await store().touch("long", cookie(30 * 24 * 3600));
    await advance("96h");
    assert.deepEqual((await items("sessions")).map((i) => i.id.S), ["sess:long"]);
  },
});
