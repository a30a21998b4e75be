// Dynamoose: a model whose documents are saved and updated.
import assert from "node:assert/strict";

import dynamoose from "dynamoose";

import { createTable, verdicts } from "./explored.mjs";

/** Each worker has an instance of its own. */
const client = (options) => {
  const instance = new dynamoose.Instance();
  instance.aws.ddb.set(new instance.aws.ddb.DynamoDB(options));
  const schema = new dynamoose.Schema({ id: String, left: Number, note: String, version: Number });
  const Order = dynamoose.model(`orders-${options.credentials.accessKeyId}`, schema);
  new instance.Table("orders", [Order], { create: false, waitForActive: false });
  return Order;
};

const id = "1";
const read = (Order) => Order.get(id, { consistent: true });

const save = async (Order) => {
  const order = await read(Order);
  order.left -= 1;
  await order.save();
};
const updates = async (Order) => Order.update({ id }, { left: (await read(Order)).left - 1 });
const guarded = async (Order) => {
  const { left, version } = await read(Order);
  const condition = new dynamoose.Condition().where("version").eq(version);
  await Order.update({ id }, { $SET: { left: left - 1 }, $ADD: { version: 1 } }, { condition });
};
const counted = (Order) => Order.update({ id }, { $ADD: { left: -1 } });
/** Saves a note, beside a counter that another one changes. */
const saveNote = async (Order) => {
  const order = await read(Order);
  order.note = "paid";
  await order.save();
};

const both = (work) => () => ({ alice: work, bob: work });
const leftIs = (n) => async (Order) => assert.equal((await read(Order)).left, n);
const refused = (error) => error.name === "ConditionalCheckFailedException";
const lost = { faults: 1, kinds: ["lost"] };

await verdicts(
  "Dynamoose",
  async (db) => {
    await createTable(db, "orders", "id");
    await db.putItem({ TableName: "orders", Item: { id: { S: id }, left: { N: "10" }, version: { N: "1" } } });
  },
  [
    { name: "save", workers: both(save), finds: "lost update" },
    {
      name: "save of one attribute, beside an update of another",
      workers: () => ({ alice: saveNote, bob: counted }),
      check: leftIs(9),
      finds: "lost update",
    },
    { name: "update of what was computed", workers: both(updates), finds: "lost update" },
    {
      name: "update where the version is as read",
      workers: both(guarded),
      options: { serializable: true, aborts: refused },
    },
    { name: "$ADD", workers: both(counted), check: leftIs(8) },
    { name: "$ADD, one answer lost", workers: both(counted), check: leftIs(8), options: lost, finds: "check" },
    {
      name: "create, two at a time",
      workers: () => ({
        alice: (Order) => Order.create({ id: "2", note: "alice" }),
        bob: (Order) => Order.create({ id: "2", note: "bob" }),
      }),
      options: { serializable: true, aborts: refused },
    },
    {
      name: "batch put, unprocessed items not looked at",
      workers: () => ({ alice: (Order) => Order.batchPut([{ id: "3" }, { id: "4" }]) }),
      check: async (Order) => assert.equal((await Order.batchGet(["3", "4"])).length, 2),
      options: { faults: 1, kinds: ["unprocessed"] },
      finds: "check",
    },
  ].map((program) => ({ client, ...program })),
);
