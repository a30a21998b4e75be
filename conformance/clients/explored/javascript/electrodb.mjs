// ElectroDB: an entity with an index over two attributes.
import assert from "node:assert/strict";

import electrodb from "electrodb";

import { verdicts } from "./explored.mjs";

const { Entity, createWriteTransaction } = electrodb;
const table = "shop";

const taskOf = (client) =>
  new Entity(
    {
      model: { entity: "task", version: "1", service: "work" },
      attributes: {
        id: { type: "string", required: true },
        team: { type: "string" },
        state: { type: "string" },
        left: { type: "number" },
        version: { type: "number" },
      },
      indexes: {
        byID: { pk: { field: "pk", composite: ["id"] }, sk: { field: "sk", composite: [] } },
        byTeam: {
          index: "gsi1",
          pk: { field: "gsi1pk", composite: ["team"] },
          sk: { field: "gsi1sk", composite: ["state"] },
        },
      },
    },
    { client, table },
  );

const id = "1";
const read = async (db) => (await taskOf(db).get({ id }).go({ consistent: true })).data;

/** Takes one of what is left, by what was read. */
const subtract = (write) => async (db) => {
  const task = await read(db);
  await write(taskOf(db), task, { ...task, left: task.left - 1, version: task.version + 1 });
};
const put = subtract((tasks, _, next) => tasks.put(next).go());
const set = subtract((tasks, _, { left }) => tasks.patch({ id }).set({ left }).go());
const guarded = subtract((tasks, { version }, { left }) =>
  tasks
    .patch({ id })
    .set({ left })
    .add({ version: 1 })
    .where((task, { eq }) => eq(task.version, version))
    .go(),
);
const counted = (db) => taskOf(db).patch({ id }).subtract({ left: 1 }).go();

/** Changes one attribute of the two of the index; composite says what the other one was when read. */
const changes = (field, value, other) => async (db) => {
  const task = await read(db);
  await taskOf(db)
    .patch({ id })
    .set({ [field]: value })
    .composite({ [other]: task[other] })
    .go();
};
/** The same, without the check: the other attribute is written as it was read. */
const writesBoth = (field, value) => async (db) => {
  const { team, state } = await read(db);
  await taskOf(db)
    .patch({ id })
    .set({ team, state, [field]: value })
    .go();
};

const both = (work) => () => ({ alice: work, bob: work });
const leftIs = (n) => async (db) => assert.equal((await read(db)).left, n);

/** The index has the item under what the item says. */
async function indexed(db) {
  const { Item } = await db.getItem({ TableName: table, Key: key });
  assert.equal(Item.gsi1pk.S, `$work#team_${Item.team.S}`);
  assert.equal(Item.gsi1sk.S, `$task_1#state_${Item.state.S}`);
}
const key = { pk: { S: "$work#id_1" }, sk: { S: "$task_1" } };

let refusal; // of the run
const lost = { faults: 1, kinds: ["lost"] };
const refused = (error) => error.code === 4001 || error.cause?.name === "ConditionalCheckFailedException";

await verdicts(
  "ElectroDB",
  async (db) => {
    const name = (AttributeName) => ({ AttributeName, AttributeType: "S" });
    const schema = (...names) => names.map((AttributeName, i) => ({ AttributeName, KeyType: i ? "RANGE" : "HASH" }));
    await db.createTable({
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: ["pk", "sk", "gsi1pk", "gsi1sk"].map(name),
      KeySchema: schema("pk", "sk"),
      GlobalSecondaryIndexes: [
        { IndexName: "gsi1", KeySchema: schema("gsi1pk", "gsi1sk"), Projection: { ProjectionType: "ALL" } },
      ],
    });
    await taskOf(db).create({ id, team: "red", state: "open", left: 10, version: 1 }).go();
  },
  [
    { name: "put of what was read", workers: both(put), finds: "lost update" },
    { name: "patch of what was computed", workers: both(set), finds: "lost update" },
    {
      name: "patch where the version is as read",
      workers: both(guarded),
      options: { serializable: true, aborts: refused },
    },
    { name: "subtract", workers: both(counted), check: leftIs(8) },
    { name: "subtract, one answer lost", workers: both(counted), check: leftIs(8), options: lost, finds: "check" },
    {
      name: "two attributes of an index's key, with composite",
      workers: () => ({ alice: changes("team", "blue", "state"), bob: changes("state", "done", "team") }),
      check: indexed,
      options: { serializable: true, aborts: refused },
    },
    {
      name: "two attributes of an index's key, both set",
      workers: () => ({ alice: writesBoth("team", "blue"), bob: writesBoth("state", "done") }),
      finds: "lost update",
    },
    {
      name: "create, one answer lost: the item is there, and create says that it cannot be made",
      workers: () => ({
        alice: async (db) => {
          refusal = undefined;
          await taskOf(db).create({ id: "2", left: 1 }).go().catch((error) => (refusal = error));
        },
      }),
      check: () => assert.equal(refusal?.cause, undefined),
      options: lost,
      finds: "check",
    },
    {
      name: "batch put, unprocessed items not looked at",
      workers: () => ({ alice: (db) => taskOf(db).put([{ id: "3" }, { id: "4" }]).go() }),
      check: async (db) => assert.equal((await taskOf(db).get([{ id: "3" }, { id: "4" }]).go()).data.length, 2),
      options: { faults: 1, kinds: ["unprocessed"] },
      finds: "check",
    },
    {
      name: "a transaction without a token that its caller sends again",
      workers: () => ({ alice: (db) => transact(db) }),
      check: leftIs(9),
      options: { faults: 4, kinds: ["lost"] },
      finds: "check",
    },
    {
      name: "a transaction with a token that its caller sends again",
      workers: () => ({ alice: (db) => transact(db, "token") }),
      check: leftIs(9),
      options: { faults: 4, kinds: ["lost"] },
    },
  ],
);

/** Sends a transaction until it succeeds. */
async function transact(db, token) {
  const write = createWriteTransaction({ tasks: taskOf(db) }, ({ tasks }) => [
    tasks.patch({ id }).subtract({ left: 1 }).commit(),
  ]);
  for (let tries = 0; tries < 2; tries++) {
    const sent = await write.go({ token }).catch(() => undefined);
    if (sent && !sent.canceled) return;
  }
}
