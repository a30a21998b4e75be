// DynamoDB-Toolbox: an entity with a key of an index that it computes.
import assert from "node:assert/strict";

import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import {
  $add,
  BatchPutRequest,
  BatchWriteCommand,
  Entity,
  GetItemCommand,
  PutItemCommand,
  Table,
  UpdateItemCommand,
  UpdateTransaction,
  executeBatchWrite,
  executeTransactWrite,
  item,
  number,
  string,
} from "dynamodb-toolbox";

import { createTable, verdicts } from "./explored.mjs";

const keyOf = ({ team, state }) => team && state && `${team}#${state}`;

const client = (options) => {
  const documentClient = DynamoDBDocumentClient.from(new DynamoDB(options));
  const table = new Table({ documentClient, name: "shop", partitionKey: { name: "id", type: "string" } });
  const schema = item({
    id: string().key(),
    team: string().optional(),
    state: string().optional(),
    left: number().optional(),
    version: number().optional(),
  }).and(() => ({
    byTeam: string()
      .optional()
      .hidden()
      .putLink(keyOf)
      .updateLink(keyOf),
  }));
  const tasks = new Entity({ name: "task", table, schema, timestamps: true });
  return { documentClient, table, tasks, destroy: () => documentClient.destroy() };
};

const id = "1";
const read = async ({ tasks }) =>
  (await tasks.build(GetItemCommand).key({ id }).options({ consistent: true }).send()).Item;
const update = ({ tasks }, values, options = {}) => tasks.build(UpdateItemCommand).item({ id, ...values }).options(options).send();

const put = async (db) => {
  const { id, team, state, left, version } = await read(db);
  await db.tasks.build(PutItemCommand).item({ id, team, state, left: left - 1, version }).send();
};
const set = async (db) => update(db, { left: (await read(db)).left - 1 });
const guarded = async (db) => {
  const { left, version } = await read(db);
  await update(db, { left: left - 1, version: version + 1 }, { condition: { attr: "version", eq: version } });
};
const counted = (db) => update(db, { left: $add(-1) });

/** Changes one attribute of those that the index's key is made of, with the other as it was read. */
const changes = (field, value) => async (db) => {
  const { team, state } = await read(db);
  await update(db, { team, state, [field]: value });
};
/** The same, of the one attribute alone. */
const changesOne = (field, value) => (db) => update(db, { [field]: value });

const indexed = async ({ documentClient }) => {
  const { GetCommand } = await import("@aws-sdk/lib-dynamodb");
  const { Item } = await documentClient.send(new GetCommand({ TableName: "shop", Key: { id } }));
  assert.equal(Item.byTeam, `${Item.team}#${Item.state}`);
};

const both = (work) => () => ({ alice: work, bob: work });
const leftIs = (n) => async (db) => assert.equal((await read(db)).left, n);
const refused = (error) => error.name === "ConditionalCheckFailedException";
const lost = { faults: 1, kinds: ["lost"] };

/** Sends a transaction until it succeeds. */
const transact = (clientRequestToken) => async ({ tasks }) => {
  for (let tries = 0; tries < 2; tries++) {
    try {
      const subtract = tasks.build(UpdateTransaction).item({ id, left: $add(-1) });
      await executeTransactWrite(clientRequestToken ? { clientRequestToken } : {}, subtract);
      return;
    } catch {
      // once more
    }
  }
};

await verdicts(
  "DynamoDB-Toolbox",
  async (db) => {
    await createTable(db, "shop", "id");
    const Item = { id: { S: id }, _et: { S: "task" }, team: { S: "red" }, state: { S: "open" }, byTeam: { S: "red#open" } };
    Object.assign(Item, { left: { N: "10" }, version: { N: "1" }, _ct: { S: "2026-01-01" }, _md: { S: "2026-01-01" } });
    await db.putItem({ TableName: "shop", Item });
  },
  [
    { name: "put of what was read", workers: both(put), finds: "lost update" },
    { name: "update of what was computed", workers: both(set), finds: "lost update" },
    {
      name: "update where the version is as read",
      workers: both(guarded),
      options: { serializable: true, aborts: refused, ignore: ["_md"] },
    },
    { name: "$add", workers: both(counted), check: leftIs(8) },
    { name: "$add, one answer lost", workers: both(counted), check: leftIs(8), options: lost, finds: "check" },
    {
      name: "two attributes of a computed key, as they were read",
      workers: () => ({ alice: changes("team", "blue"), bob: changes("state", "done") }),
      check: indexed,
      finds: "lost update",
    },
    {
      name: "two attributes of a computed key, one at a time",
      workers: () => ({ alice: changesOne("team", "blue") }),
      check: indexed,
      finds: "check",
    },
    {
      name: "batch write, unprocessed items not looked at",
      workers: () => ({
        alice: ({ table, tasks }) => {
          const requests = ["3", "4"].map((id) => tasks.build(BatchPutRequest).item({ id, left: 1 }));
          return executeBatchWrite(table.build(BatchWriteCommand).requests(...requests));
        },
      }),
      check: async ({ tasks }) => {
        for (const id of ["3", "4"]) assert.ok((await tasks.build(GetItemCommand).key({ id }).send()).Item, id);
      },
      options: { faults: 1, kinds: ["unprocessed"] },
      finds: "check",
    },
    {
      name: "batch write that is tried three times",
      workers: () => ({
        alice: ({ table, tasks }) => {
          const requests = ["3", "4"].map((id) => tasks.build(BatchPutRequest).item({ id, left: 1 }));
          return executeBatchWrite({ maxAttempts: 3 }, table.build(BatchWriteCommand).requests(...requests));
        },
      }),
      check: async ({ tasks }) => {
        for (const id of ["3", "4"]) assert.ok((await tasks.build(GetItemCommand).key({ id }).send()).Item, id);
      },
      options: { faults: 2, kinds: ["unprocessed"] },
    },
    {
      name: "a transaction without a token that its caller sends again",
      workers: () => ({ alice: transact() }),
      check: leftIs(9),
      options: { faults: 4, kinds: ["lost"] },
      finds: "check",
    },
    {
      name: "a transaction with a token that its caller sends again",
      workers: () => ({ alice: transact("token") }),
      check: leftIs(9),
      options: { faults: 4, kinds: ["lost"] },
    },
  ].map((program) => ({ client, ...program })),
);
