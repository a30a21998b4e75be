// The services of @mbc-cqrs-serverless/core, the framework of the guide "Key design patterns", as its
// modules and step functions run them, and the items that they leave. With the argument "policy" the
// server has policy.yaml, which allows all its writes except those that "refusals" expects it to refuse.
"use strict";

const { strict: assert } = require("node:assert");
const { DynamoDB, waitUntilTableExists } = require("@aws-sdk/client-dynamodb");
const framework = "@mbc-cqrs-serverless/core";
const at = (name) => require(`./node_modules/${framework}/dist/${name}`);

require("@nestjs/common").Logger.overrideLogger(false);
const { CommandService } = at("commands/command.service");
const { CommandEventHandler } = at("commands/command.event.handler");
const { DataService } = at("commands/data.service");
const { HistoryService } = at("commands/history.service");
const { TtlService } = at("commands/ttl.service");
const { DataSyncDdsHandler } = at("commands/handlers/data-sync-dds.handler");
const { DynamoDbService } = at("data-store/dynamodb.service");
const { addSortKeyVersion, generateId, masterPk, ttlSk } = at("helpers/key");

const settings = { NODE_ENV: "test", APP_NAME: "shop", DYNAMODB_REGION: "us-east-1", ATTRIBUTE_LIMIT_SIZE: 100000, ...process.env };
const config = { get: (name) => ({ ...settings, NODE_ENV: "test" })[name] };
const options = { tableName: "order" };
const sns = { publish: async () => ({}) };
const db = new DynamoDbService(config, {});
const data = new DataService(options, db);
const ttl = new TtlService(options, db);
const history = new HistoryService(options, db, data, ttl);
const explorer = { exploreDataSyncHandlers: () => ({ dataSyncHandlers: [] }) };
const commands = new CommandService(options, db, explorer, {}, sns, new DataSyncDdsHandler(data), data, ttl);
commands.onModuleInit();
const handler = new CommandEventHandler(options, commands, data, history, {}, sns, config);

const caller = {
  invokeContext: {
    event: { requestContext: { authorizer: { jwt: { claims: { sub: "user001", "custom:tenant": "tenant001" } } }, http: { sourceIp: "127.0.0.1" } } },
    context: { awsRequestId: "request001" },
  },
};
const pk = "ORDER#tenant001";
const order = { pk, sk: "ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2M" };
const item = { pk, sk: "ORDER_ITEM#01HX7MBJK3V9WQBZ7XNDK5ZT2M#2" };
const command = (key, version, attributes) => ({
  ...key, version, id: generateId(key.pk, key.sk), code: "C001", name: "an order", tenantCode: "tenant001", type: "ORDER", attributes,
});

const records = new Map(); // the images of commands that start their step functions

// step runs one state of the step function of a command.
async function step(key, version, stepStateName, input) {
  const commandKey = { pk: key.pk, sk: addSortKeyVersion(key.sk, version) };
  if (!records.has(commandKey.sk)) {
    records.set(commandKey.sk, await commands.getItem(commandKey));
  }
  const commandRecord = structuredClone(records.get(commandKey.sk));
  return handler.execute({ commandKey, stepStateName, commandRecord, input, taskToken: "token",
    context: { Execution: { Id: "execution" } }, getFullCommandRecord: async () => commandRecord });
}

const states = ["check_version", "set_ttl_command", "history_copy", "transform_data", "sync_data", "finish"];

async function sync(key, version) {
  for (const state of states) {
    await step(key, version, state, { result: "DataSyncDdsHandler" });
  }
}

const failed = [];
async function check(name, run) {
  try {
    await run();
  } catch (e) {
    failed.push(`${name}: ${e.name}: ${e.message}`);
  }
}

async function retention(days) {
  for (const type of ["command", "history"]) {
    const key = { pk: masterPk("tenant001"), sk: ttlSk(`test-shop-order-${type}`) };
    const old = await db.getItem("test-shop-master-data", key);
    await db.putItem("test-shop-master-data", { ...key, version: (old?.version ?? 0) + 1, attributes: { days } });
  }
}

async function publishing() {
  await check("a first command", async () => {
    const made = await commands.publishAsync(command(order, 0, { total: 1 }), caller);
    assert.equal(made.sk, `${order.sk}@1`);
  });
  for (const state of states) {
    await check(`${state} of the first command`, () => step(order, 1, state, { result: "DataSyncDdsHandler" }));
  }
  await check("the data of the first command", async () => {
    const it = await data.getItem(order);
    assert.deepEqual([it.version, it.id, it.csk, it.attributes], [1, generateId(pk, order.sk), `${order.sk}@1`, { total: 1 }]);
  });
  await check("the status of the first command", async () => {
    assert.equal((await commands.getItem({ pk, sk: `${order.sk}@1` })).status, "finish:FINISHED");
  });
  await check("a changed retention", () => retention(30));
  await check("the next command", () => commands.publishPartialUpdateAsync({ ...order, version: 1, attributes: { total: 2 } }, caller));
  for (const state of states) {
    await check(`${state} of the next command`, () => step(order, 2, state, { result: "DataSyncDdsHandler" }));
  }
  await check("the time to live of the command before", async () => {
    assert.ok((await commands.getItem({ pk, sk: `${order.sk}@1` })).ttl > 0);
  });
  await check("the history of the version before", async () => {
    assert.deepEqual((await history.getItem({ pk, sk: `${order.sk}@1` })).attributes, { total: 1 });
  });
  await check("the latest command", async () => assert.equal((await commands.getLatestItem(order)).version, 2));
}

async function retrying() {
  await check("a retried time to live", async () => {
    await retention(60);
    await step(order, 2, "set_ttl_command");
  });
  await check("a retried history copy", () => history.publish(order));
  await check("a history copy retried with another time to live", async () => {
    await retention(90);
    await history.publish(order);
  });
  await check("a retried sync of the data", () => step(order, 2, "sync_data", { result: "DataSyncDdsHandler" }));
  await check("a status of one's own", () => commands.updateStatus({ pk, sk: `${order.sk}@2` }, "done", "notification"));
  await check("a command that changes nothing", async () => {
    const it = await commands.getItem({ pk, sk: `${order.sk}@2` });
    assert.equal(await commands.publishAsync({ ...it, sk: order.sk }, caller), null);
  });
  await check("a command duplicated", async () => {
    const made = await commands.duplicate({ pk, sk: `${order.sk}@2` }, caller);
    assert.equal(made.sk, `${order.sk}@3`);
    await sync(order, 3);
    assert.equal((await data.getItem(order)).version, 3);
  });
}

async function others() {
  await check("a command that lost its race", () => assert.rejects(
    () => commands.publishAsync(command(order, 1, { total: 9 }), caller), { name: "ConditionalCheckFailedException" }));
  await check("a command of a version that is not there", () => assert.rejects(
    () => commands.publishAsync(command(order, 7, { total: 9 }), caller), { name: "BadRequestException" }));
  await check("a child", async () => {
    await commands.publishAsync(command(item, 0, { quantity: 2 }), caller);
    await sync(item, 1);
  });
  await check("the items of an order", async () => {
    const found = await data.listItemsByPk(pk, { sk: { skExpession: "begins_with(sk, :prefix)", skAttributeValues: { ":prefix": "ORDER_ITEM#" } } });
    assert.deepEqual(found.items.map((it) => it.sk), [item.sk]);
  });
  await check("a command at once", async () => {
    const made = await commands.publishSync(command({ pk, sk: "ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2N" }, 0, { total: 5 }), caller);
    assert.equal(made.version, 1);
  });
  await check("the next one at once", () => commands.publishPartialUpdateSync(
    { pk, sk: "ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2N", version: 1, attributes: { total: 6 } }, caller));
}

// Without a configured time to live, steps put the same items again.
async function unconfigured() {
  const other = { pk, sk: "ORDER#01HX7MBJK3V9WQBZ7XNDK5ZT2P" };
  await check("a command where no time to live is configured", async () => {
    await commands.publishAsync(command(other, 0, { total: 1 }), caller);
    await sync(other, 1);
  });
  await check("the next command there", () => commands.publishPartialUpdateAsync({ ...other, version: 1, attributes: { total: 2 } }, caller));
  for (const state of [...states, ...states.slice(1)]) {
    await check(`${state} of the next command there`, () => step(other, 2, state, { result: "DataSyncDdsHandler" }));
  }
}

// The framework's own store allows these writes; the policy refuses them.
async function refusals() {
  const refused = { message: /history-immutable/ };
  await check("attributes of a command do not change", () => assert.rejects(
    () => db.updateItem("test-shop-order-command", { pk, sk: `${order.sk}@1` }, { set: { attributes: { total: 9 } } }), refused));
  await check("a command is not put again with other attributes", async () => {
    const it = await commands.getItem({ pk, sk: `${order.sk}@1` });
    await assert.rejects(() => db.putItem("test-shop-order-command", { ...it, attributes: { total: 9 } }), refused);
  });
  await check("a status makes no command", () => assert.rejects(
    () => commands.updateStatus({ pk, sk: `${order.sk}@9` }, "done", "notification"), refused));
  await check("the policy found nothing else", async () => {
    const { findings } = await (await fetch(`${process.env.MATRIX_SERVER}/conventions/findings`)).json();
    assert.deepEqual(findings.map(({ rule, count }) => [rule, count]), [["history-immutable", 3]]);
  });
}

async function createTables() {
  const client = new DynamoDB({ credentials: { accessKeyId: "AKIDOPERATIONS", secretAccessKey: "x" } });
  for (const name of ["order-command", "order-data", "order-history", "master-data"]) {
    const TableName = `test-shop-${name}`;
    await client.createTable({
      TableName, BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }],
    });
    await waitUntilTableExists({ client, minDelay: 1, maxDelay: 1, maxWaitTime: 20 }, { TableName });
  }
}

// say prints the line of a step of the client matrix.
function say(step) {
  console.log(failed.length === 0 ? `ok ${step}` : `failed ${step}: ${failed.splice(0).join("; ")}`);
}

async function main() {
  console.log("version", require(`${framework}/package.json`).version);
  await createTables();
  await unconfigured();
  await publishing();
  await retrying();
  await others();
  say("services");
  if (process.argv[2] === "policy") {
    await refusals();
    say("refusals");
  }
}

main();
