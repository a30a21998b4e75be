// onetable-migrate: the versions of a table, which a deployment brings up to date.
import assert from "node:assert/strict";

import Dynamo from "dynamodb-onetable/Dynamo";
import { Table } from "dynamodb-onetable";
import { Migrate } from "onetable-migrate";

import { createTable, db, items, numbers, run } from "./steps.mjs";

const name = "shop";
const client = new Dynamo({ client: db });
const log = { info() {}, error() {} };

/** The schema of a version: orders, and what more they have. */
const schema = (version, more) => ({
  format: "onetable:1.1.0",
  version,
  indexes: { primary: { hash: "pk", sort: "sk" } },
  models: {
    Order: {
      pk: { type: String, value: "order:${id}" },
      sk: { type: String, value: "order:" },
      id: { type: String, required: true },
      ...more,
    },
  },
  params: { isoDates: true },
});

const versions = [
  {
    version: "1.0.0",
    description: "orders",
    schema: schema("1.0.0"),
    async up(db, migrate, { dry }) {
      for (const i of numbers(60)) {
        if (!dry) await db.create("Order", { id: String(i) });
      }
    },
    async down(db, migrate, { dry }) {
      const orders = await db.scan("Order", {});
      for (const { id } of dry ? [] : orders) await db.remove("Order", { id });
    },
  },
  {
    version: "1.1.0",
    description: "the state of an order, by pages of 25",
    schema: schema("1.1.0", { state: { type: String } }),
    async up(db) {
      let next;
      do {
        const page = await db.scan("Order", {}, { limit: 25, next });
        for (const { id } of page) {
          await db.update("Order", { id, state: "open" }, { exists: true });
        }
        next = page.next;
      } while (next);
    },
    async down(db) {
      for (const { id } of await db.scan("Order", {})) {
        await db.update("Order", { id, state: null }, { exists: true });
      }
    },
  },
  {
    version: "1.2.0",
    description: "fails",
    schema: schema("1.2.0", { state: { type: String } }),
    async up(db) {
      await db.create("Order", { id: "0" }); // is there already
    },
    async down() {},
  },
];

/** The deployment, in a process of its own. */
async function deployment() {
  const table = new Table({ name, client, schema: versions[0].schema, partial: false, logger: false });
  const migrate = new Migrate(table, { migrations: versions, log });
  await migrate.init();
  return migrate;
}

const orders = async () => (await items(name)).filter((i) => i._type?.S === "Order");

await createTable(name, ["pk", "sk"]);
await run("onetable-migrate", {
  async dry() {
    const migrate = await deployment();
    assert.equal(await migrate.getCurrentVersion(), "0.0.0");
    await migrate.apply("up", "1.0.0", { dry: true });
    assert.deepEqual(await items(name), []);
  },

  async up() {
    await (await deployment()).apply("up", "1.0.0", { dry: false });
    assert.equal((await orders()).length, 60);
    const migrate = await deployment();
    assert.equal(await migrate.getCurrentVersion(), "1.0.0");
    assert.deepEqual(await migrate.getOutstandingVersions(), ["1.1.0", "1.2.0"]);
    await migrate.apply("up", "1.0.0", { dry: false });
    assert.equal((await orders()).length, 60);
  },

  async pages() {
    await (await deployment()).apply("up", "1.1.0", { dry: false });
    assert.deepEqual(new Set((await orders()).map((o) => o.state?.S)), new Set(["open"]));
  },

  /** A version that fails is noted with its error. */
  async failure() {
    const refused = /^Conditional create failed/;
    const failed = await (await deployment()).apply("up", "1.2.0", { dry: false }).catch((e) => e);
    assert.match(failed.message, refused);
    const past = await (await deployment()).getPastMigrations();
    assert.match(past.find((m) => m.version === "1.2.0").status, refused);
  },

  async down() {
    await (await deployment()).apply("down", "1.1.0", { dry: false });
    assert.equal(await (await deployment()).getCurrentVersion(), "1.0.0");
    assert.deepEqual(new Set((await orders()).map((o) => o.state)), new Set([undefined]));
  },

  /** It has no lock: two deployments at the same time both run a version, and note it. */
  async "no lock"() {
    const both = await Promise.all([deployment(), deployment()]);
    await Promise.all(both.map((m) => m.apply("up", "1.1.0", { dry: false })));
    const past = await (await deployment()).getPastMigrations();
    assert.equal(past.filter((m) => m.version === "1.1.0").length, 2);
  },
});
