// What the programs of the rows share: the lines that they print, tables, and the server's clock.
import { readFileSync } from "node:fs";

import { DynamoDB, paginateScan } from "@aws-sdk/client-dynamodb";

const server = process.env.MATRIX_SERVER;
const clock = Date.now;
let moved = 0;

export const db = new DynamoDB();

/** Runs the steps of a package, which are functions by name, each after the other. */
export async function run(name, steps) {
  const manifest = new URL(`node_modules/${name}/package.json`, import.meta.url);
  console.log("version", JSON.parse(readFileSync(manifest)).version);
  for (const [step, body] of Object.entries(steps)) {
    try {
      await body();
      console.log(`ok ${step}`);
    } catch (error) {
      console.log(`failed ${step}: ${(error.stack ?? String(error)).replace(/\s+/g, " ")}`);
    }
  }
  process.exit(); // some tools have timers that never end
}

/** Moves the clock of the server, such as by "25h". */
export async function advance(by) {
  const response = await fetch(`${server}/_kugiri/clock/advance`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ by }),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Moves the clock of the server and what tools read from Date.now. */
export async function pass(seconds) {
  await advance(`${seconds}s`);
  moved += seconds * 1000;
  Date.now = () => clock() + moved;
}

/** Makes a table with keys that are strings, whose items expire by the attribute ttl. */
export async function createTable(TableName, keys, ttl, index) {
  const schema = (names) =>
    names.map((AttributeName, i) => ({ AttributeName, KeyType: ["HASH", "RANGE"][i] }));
  await db.createTable({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: schema(keys),
    AttributeDefinitions: [...keys, ...(index?.keys ?? [])].map((AttributeName) => ({
      AttributeName,
      AttributeType: "S",
    })),
    GlobalSecondaryIndexes: index && [
      { IndexName: index.name, KeySchema: schema(index.keys), Projection: { ProjectionType: "ALL" } },
    ],
  });
  if (ttl) {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: ttl };
    await db.updateTimeToLive({ TableName, TimeToLiveSpecification });
  }
}

/** Returns all items of a table. */
export async function items(TableName) {
  const found = [];
  for await (const page of paginateScan({ client: db }, { TableName, ConsistentRead: true })) {
    found.push(...page.Items);
  }
  return found;
}

export const numbers = (n) => Array.from({ length: n }, (_, i) => i);
