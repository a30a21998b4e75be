import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DynamoDB, ResourceNotFoundException } from "@aws-sdk/client-dynamodb";
import { binaryPath, startKugiri, useFork } from "kugiri";
import kugiri from "kugiri/vitest";

const TableName = "orders";
const put = (db, id) => db.putItem({ TableName, Item: { id: { S: id } } });
const count = async (account) => (await new DynamoDB(account.clientOptions).scan({ TableName })).Count;

async function started(t, options) {
  const server = await startKugiri(options);
  t.after(() => server.stop());
  return server;
}

test("CommonJS has the same functions", () => {
  const { startKugiri: required } = createRequire(import.meta.url)("kugiri");
  assert.equal(required, startKugiri);
});

test("a variable names another binary", async (t) => {
  process.env.KUGIRI_BINARY = binaryPath();
  t.after(() => delete process.env.KUGIRI_BINARY);
  await started(t);
  process.env.KUGIRI_BINARY = "/nowhere/kugiri";
  await assert.rejects(startKugiri(), /nowhere.*no program/);
});

test("a fork begins with what its origin has, and changes nothing there", async (t) => {
  const server = await started(t, { seed: "testdata" });
  const unused = await server.fork();
  assert.equal(await count(unused), 1);
  await put(new DynamoDB(server.clientOptions), "2");
  const fork = await server.fork();
  await put(new DynamoDB(fork.clientOptions), "3");
  const forkOfFork = await fork.fork();
  await put(new DynamoDB(forkOfFork.clientOptions), "4");
  const accounts = [unused, server, fork, forkOfFork];
  assert.deepEqual(await Promise.all(accounts.map(count)), [1, 2, 3, 4]);
});

test("a fork names its tenant", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "kugiri-policy-"));
  t.after(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "policy.yaml"), 'tenants: {callers: {AK1: one}}\n' +
    'tables: [{name: orders, role: plain, key: {partition: id}}]\n');
  const key = { AttributeName: "id", KeyType: "HASH" };
  writeFileSync(join(dir, "orders.json"), JSON.stringify({ TableName, BillingMode: "PAY_PER_REQUEST",
    KeySchema: [key], AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }] }));
  const flags = ["--shared", `--policy=${join(dir, "policy.yaml")}`];
  const server = await started(t, { seed: join(dir, "orders.json"), flags });
  const get = async (fork, id) => new DynamoDB(fork.clientOptions).getItem({ TableName, Key: { id: { S: id } } });
  const fork = await server.fork({ tenant: "one" });
  for (const of of [fork, await fork.fork()]) {
    await assert.rejects(get(of, "ORDER#two"), /tenant-crossing/);
    assert.equal((await get(of, "ORDER#one")).Item, undefined);
  }
  await assert.rejects(get(await server.fork(), "ORDER#one"), /tenant-caller/);
  await assert.rejects(server.fork({ tenant: "common" }), { status: 400 });
});

test("a removed fork is gone", async (t) => {
  const server = await started(t);
  const fork = await server.fork();
  await fork.remove();
  await assert.rejects(fork.remove(), /404|not found|no fork/i);
});

test("flags reach the server", async (t) => {
  const server = await started(t, { flags: ["--clock=held", "--shared"] });
  await assert.rejects(count(server), ResourceNotFoundException);
  const fork = await server.fork();
  const { now } = await fork.admin("POST", "clock/advance", { by: "25h" });
  assert.ok(now, "the answer has the time");
});

test("a server that cannot start says why", async () => {
  await assert.rejects(startKugiri({ seed: "missing.json" }), /before it listened:.*missing\.json/s);
  await assert.rejects(startKugiri({ binary: "missing" }), { code: "ENOENT" });
});

test("stop waits for the end, and may be called again", async () => {
  const server = await startKugiri();
  await server.stop();
  await server.stop();
  await assert.rejects(fetch(server.endpoint));
});

test("the server ends with a program that does not stop it", async () => {
  const program = `import { startKugiri } from "kugiri"; console.log((await startKugiri()).endpoint);`;
  const endpoint = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }).trim();
  // The server sees the end of its input after the program has ended.
  const gone = () => fetch(endpoint).then(() => false, () => true);
  while (!(await gone()));
});

test("the command passes arguments, output and the exit status on", () => {
  const command = ["--no-install", "kugiri"];
  const said = execFileSync("npx", [...command, "version"], { encoding: "utf8" });
  assert.equal(said, execFileSync(binaryPath(), ["version"], { encoding: "utf8" }));
  assert.throws(() => execFileSync("npx", [...command, "unknown"], { stdio: "pipe" }), { status: 2 });
});

test("a signal to the command stops the server", async () => {
  const shim = createRequire(import.meta.url).resolve("kugiri/package.json").replace("package.json", "bin/kugiri.js");
  const command = spawn(process.execPath, [shim, "serve", "--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(command.stdout, "data");
  const endpoint = /listening at (\S+)/.exec(line)[1];
  command.kill("SIGTERM");
  await once(command, "exit");
  await assert.rejects(fetch(endpoint));
});

test("useFork gives each test a fork, and remove goes back", async (t) => {
  const server = await started(t, { seed: "testdata", flags: ["--clock=held"] });
  const before = { ...process.env };
  t.after(() => { process.env = before; });
  process.env.AWS_PROFILE = "own";
  server.useInProcess();
  const inUse = async () => (await new DynamoDB().scan({ TableName })).Count;
  await put(new DynamoDB(), "2");
  for (const id of ["3", "4"]) { // each begins with what the server has, whatever the one before did
    const fork = await useFork({ clock: "2026-01-02T03:04:05Z" });
    assert.equal(await inUse(), 2);
    await put(new DynamoDB(), id);
    await fork.admin("POST", "faults", { when: { operation: "PutItem", first: 1 }, do: { throttle: {} } });
    await put(new DynamoDB(), "retried");
    assert.equal((await fork.admin("GET", "faults")).faults[0].hits, 1);
    assert.deepEqual((await server.admin("GET", "faults")).faults, []);
    await fork.admin("POST", "clock/advance", { by: "25h" });
    assert.equal((await fork.admin("GET", "clock")).now, "2026-01-03T04:04:05Z");
    await fork.remove();
    assert.equal(process.env.AWS_ACCESS_KEY_ID, server.accessKey);
    assert.equal(await inUse(), 2);
  }
  server.leaveProcess();
  assert.equal(process.env.AWS_PROFILE, "own");
});

test("unknown options are refused", async (t) => {
  await assert.rejects(startKugiri({ seeds: "testdata" }), /has no option "seeds": it has seed, flags, binary/);
  const server = await started(t);
  await assert.rejects(server.fork({ tenants: "one" }), /fork has no option "tenants"/);
  assert.throws(() => kugiri({ seeds: "testdata" }), /has no option "seeds"/);
});
