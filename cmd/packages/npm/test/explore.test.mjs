import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ConditionalCheckFailedException, DynamoDB } from "@aws-sdk/client-dynamodb";
import { ExplorationError, explore, startKugiri } from "kugiri";

const TableName = "counters";
const Key = { id: { S: "a" } };
let server;

before(async () => {
  server = await startKugiri();
  const db = new DynamoDB(server.clientOptions);
  await db.createTable({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  });
  await db.putItem({ TableName, Item: { ...Key, n: { N: "10" } } });
});
after(() => server.stop());

const read = async (db) => (await db.getItem({ TableName, Key })).Item.n.N;

/** Takes one from the number that it has read, under a condition or without. */
async function subtract(db, ConditionExpression) {
  const n = await read(db);
  const ExpressionAttributeValues = ConditionExpression && { ":n": { N: n } };
  const Item = { ...Key, n: { N: `${n - 1}` } };
  return db.putItem({ TableName, Item, ConditionExpression, ExpressionAttributeValues });
}

const add = (db) =>
  db.updateItem({ TableName, Key, UpdateExpression: "ADD n :d", ExpressionAttributeValues: { ":d": { N: "-1" } } });

const isEight = async (db) => assert.equal(await read(db), "8");

const client = (options) => new DynamoDB(options);
const both =
  (work, ...checks) =>
  ({ worker, check }) => {
    worker("alice", work);
    worker("bob", work);
    checks.forEach(check);
  };

/** Explores, and returns the failure. */
async function failureOf(program, options) {
  const error = await server.explore(program, { client, ...options }).catch((thrown) => thrown);
  assert.ok(error instanceof ExplorationError, `${error.text ?? error}`);
  return error.report.failures[0];
}

test("answers of a cache are old", async () => {
  const program = ({ worker }) => {
    worker("reader", async (db) => {
      const numbers = [await read(db), await read(db)];
      assert.notDeepEqual(numbers, ["9", "10"]);
    });
    worker("writer", add);
  };
  const one = { faults: 1, kinds: ["cached"] };
  const found = await failureOf(program, { ...one, cachedReads: { workers: ["reader"], lag: "1s" } });
  assert.equal(found.kind, "worker");
  assert.match(found.page, /reads n: 10, which is old/);
  assert.match(found.schedule, /:cached1/);
  const report = await server.explore(program, { client, ...one, cachedReads: { itemTTL: "1m", queryTTL: "0" } });
  assert.ok(report.complete);
});

test("a lost update is found, shown and run again", async (t) => {
  const found = await failureOf(both((db) => subtract(db)), { name: "n", command: "node --test" });
  assert.equal(found.kind, "lost update");
  assert.match(found.page, /the condition n = :read on this PutItem would have refused it/);
  assert.match(found.page, /KUGIRI_EXPLORE='alice,bob,bob,alice' node --test/);
  process.env.KUGIRI_EXPLORE = found.schedule;
  t.after(() => delete process.env.KUGIRI_EXPLORE);
  const again = await failureOf(both((db) => subtract(db)));
  assert.equal(again.schedule, found.schedule);
  await (await startKugiri()).stop(); // the process that runs it again starts a server, too
});

test("a condition holds in every order", async () => {
  const aborts = (error) => error instanceof ConditionalCheckFailedException;
  const program = both((db) => subtract(db, "n = :n"));
  const report = await server.explore(program, { client, serializable: true, aborts });
  assert.match(report.text, /all orders were tried/);
  assert.ok(report.complete);
});

test("a check is part of each run", async () => {
  const report = await server.explore(both(add, isEight), { client });
  assert.equal(report.runs, 2);
  const found = await failureOf(both(add, isEight), { faults: 1, kinds: ["lost"] });
  assert.equal(found.kind, "check");
  assert.match(found.page, /fault: lost/);
});

test("a worker dies, and begins anew", async () => {
  let restarts = 0;
  const again = (db) => (restarts++, add(db));
  const program = (restart) => (run) => {
    run.worker("alice", add, { restart });
    run.check(async (db) => assert.equal(await read(db), "9"));
  };
  const options = { faults: 1, kinds: ["dies-after"] };
  assert.match((await failureOf(program(again), options)).page, /fault: dies-after/);
  assert.ok(restarts > 0);
  await server.explore(program(null), { client, ...options });
});

test("what workers return is compared with serial orders", async () => {
  const twice = async (db) => [await read(db), await read(db)];
  const program = ({ worker }) => {
    worker("reader", twice);
    worker("writer", add);
  };
  const found = await failureOf(program, { serializable: true });
  assert.match(found.text, /in no serial order reader returns.*\["10","9"\]/s);
  await server.explore(program, { client, serializable: true, project: ({ worker }) => worker });
});

test("an assertion in a worker is a failure, another error is a result", async () => {
  const found = await failureOf(({ worker }) => worker("alice", async (db) => assert.equal(await read(db), "11")));
  assert.equal(found.kind, "worker");
  const report = await server.explore(({ worker }) => worker("alice", async (db) => {
    await read(db);
    throw new Error("sold out");
  }), { client });
  assert.ok(report.complete);
});

test("workers that never get to a request are an error", async () => {
  await assert.rejects(server.explore(({ worker }) => worker("alice", (db) => db.getItm({})), { client }),
    /no worker has sent a request.*alice throws/s);
});

test("requests at the same time go in each order", async () => {
  const program = ({ worker, check }) => {
    worker("alice", (db) => Promise.all([subtract(db), subtract(db)]));
    check(isEight);
  };
  assert.match((await failureOf(program)).schedule, /alice~1/);
});

test("a worker that waits forever is a deadlock", async () => {
  const found = await failureOf(({ worker }) => worker("alice", () => new Promise(() => {})), { patience: "50ms" });
  assert.match(found.text, /alice wait forever/);
});

test("failures are written as pages", async (t) => {
  const pages = mkdtempSync(join(tmpdir(), "kugiri-pages-"));
  t.after(() => rmSync(pages, { recursive: true }));
  const { page } = await failureOf(both((db) => subtract(db)), { name: "lost/update", pages });
  assert.match(page, /See it: .*lost-update-1\.html/);
  assert.match(readFileSync(join(pages, "lost-update-1.html"), "utf8"), /overwrites the change/);
});

test("mistakes are named", async () => {
  await assert.rejects(explore(() => {}), /this process uses no server/);
  await assert.rejects(server.explore(() => {}), /there are 1 to 64/);
  await assert.rejects(server.explore(({ worker }) => [worker("a", add), worker("a", add)]), /two workers "a"/);
  await assert.rejects(server.explore(both(add), { client, schedule: "carol" }), /carol/);
  const broken = () => Promise.reject(new Error("no client"));
  await assert.rejects(server.explore(both(add), { client: broken }), /no client/);
});

test("a consumer gets the records of a run, and a batch twice", async () => {
  const db = new DynamoDB(server.clientOptions);
  await db.updateTable({ TableName, StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" } });
  const seen = [];
  const program = ({ worker, consumer, check }) => {
    worker("shop", (db) => db.putItem({ TableName, Item: { id: { S: "b" } } }));
    consumer(
      "invoices",
      TableName,
      async ({ Records }, db) => {
        seen.push(Records[0].dynamodb.NewImage.id.S);
        await add(db);
      },
      { MaximumRetryAttempts: 0, FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] } },
    );
    check(async (db) => assert.equal(await read(db), "9"));
  };
  const report = await server.explore(program, { client });
  assert.match(report.text, /all orders were tried/);
  const found = await failureOf(program, { faults: 1, kinds: ["redelivered"] });
  assert.equal(found.kind, "check");
  assert.match(found.page, /fault: redelivered/);
  assert.ok(seen.every((id) => id === "b"));
});

test("a part of a search, and what has to hold between requests", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kugiri-"));
  const file = join(directory, "parts");
  process.env.KUGIRI_EXPLORE_REPORT = file;
  try {
    for (const part of ["1/2", "2/2"]) {
      process.env.KUGIRI_EXPLORE_PART = part;
      const report = await server.explore(both(add), { client, name: "adds", within: "1h" });
      assert.match(report.text, /all its orders were tried/);
    }
    const lines = readFileSync(file, "utf8").trim().split("\n");
    assert.deepEqual(lines.map((line) => JSON.parse(line).part), [{ number: 1, of: 2 }, { number: 2, of: 2 }]);
  } finally {
    delete process.env.KUGIRI_EXPLORE_REPORT;
    delete process.env.KUGIRI_EXPLORE_PART;
    rmSync(directory, { recursive: true });
  }
  const allow = [{ kind: "lost update", table: TableName, reason: "the last one wins" }];
  const { text } = await server.explore(both((db) => subtract(db)), { client, allow });
  assert.match(text, /allowed: the last one wins/);
  const found = await failureOf(({ worker, always }) => {
    worker("alice", add);
    always(async (db) => assert.equal(await read(db), "10"));
  });
  assert.equal(found.kind, "invariant");
  assert.match(found.text, /after request 1 of alice/);
});
