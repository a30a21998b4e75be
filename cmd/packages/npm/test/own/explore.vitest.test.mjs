import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { explore } from "kugiri";
import { expect, test } from "vitest";

const order = { TableName: "made", Key: { id: { S: "1" } } };

async function count(db) {
  const n = Number((await db.getItem(order)).Item?.n.N ?? 0);
  await db.putItem({ TableName: "made", Item: { ...order.Key, n: { N: String(n + 1) } } });
}

const client = (options) => new DynamoDB(options);

test("finds what goes wrong (1)", async () => {
  const program = ({ worker }) => ["alice", "bob"].forEach((name) => worker(name, count));
  await expect(explore(program, { client })).rejects.toThrow(
    "KUGIRI_EXPLORE='alice,bob,bob,alice' npx vitest run own/explore.vitest.test.mjs -t 'finds what goes wrong \\(1\\)'",
  );
});

test("an expectation of a worker is a failure", async () => {
  const wrong = async (db) => expect((await db.getItem(order)).Item).toBeDefined();
  const error = await explore(({ worker }) => worker("alice", wrong), { client }).catch((thrown) => thrown);
  expect(error.report.failures[0].kind).toBe("worker");
});
