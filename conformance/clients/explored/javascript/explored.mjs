// Explores programs that use a library, each on a fork of the same tables, and prints what it finds.
// Ends with status 1 if that is not what a program says.
import { DynamoDB } from "@aws-sdk/client-dynamodb";

import kugiri from "../../../../cmd/packages/npm/kugiri/index.js";

/** Explores programs: { name, workers, check, options, finds, client }. */
export async function verdicts(library, setUp, programs) {
  const server = await kugiri.startKugiri();
  const chosen = process.argv[2] ?? "";
  console.log(library);
  try {
    await setUp(new DynamoDB(server.clientOptions));
    for (const program of programs.filter(({ name }) => name.includes(chosen))) await verdict(server, program);
  } finally {
    await server.stop();
  }
}

async function verdict(server, { name, workers, check, options, finds, client }) {
  let found;
  let report;
  try {
    report = await server.explore(
      (run) => {
        for (const [worker, work] of Object.entries(workers())) run.worker(worker, ...[work].flat());
        if (check) run.check(check);
      },
      { client: client ?? ((settings) => new DynamoDB(settings)), name, command: "node", ...options },
    );
  } catch (error) {
    if (!error.report) throw error;
    ({ report } = error);
    found = report.failures[0];
  }
  const text = found ? `${found.kind}: ${found.schedule}` : report.text;
  console.log(`  ${name}: ${text}`);
  if (found && process.env.PAGES) console.log(found.page);
  if (found?.kind !== finds || (!found && !report.complete)) {
    console.log(`  expected: ${finds ?? "to pass in all orders"}\n${found?.page ?? ""}`);
    process.exitCode = 1;
  }
}

/** Makes a table of items by their id, or by pk and sk. */
export function createTable(db, TableName, ...keys) {
  return db.createTable({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    KeySchema: keys.map((AttributeName, i) => ({ AttributeName, KeyType: i ? "RANGE" : "HASH" })),
  });
}
