// Compiled, not run: what TypeScript knows of the packages.
import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { explore, startKugiri, type Fork } from "kugiri";
import kugiri from "kugiri/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({ plugins: [kugiri({ seed: ["a.json", "b.json"], flags: ["--clock=held"] })] });

const server = await startKugiri({ seed: "testdata" });
const fork: Fork = await server.fork();
new DynamoDB(fork.clientOptions);
const report = await explore<DynamoDB>(
  ({ worker, check }) => {
    worker("alice", (db) => db.listTables(), { restart: null });
    check(async (db) => void (await db.listTables()));
  },
  { client: (options) => new DynamoDB(options), faults: 1, kinds: ["lost"] },
);
const text: string = report.failures[0]?.page ?? report.text;
await fork.explore(({ worker }) => worker(text, ({ endpoint, credentials }) => endpoint + credentials.accessKeyId));
// @ts-expect-error there is no such fault
await fork.explore(() => {}, { kinds: ["fire"] });
await fork.remove();
await server.stop();
// @ts-expect-error a server is not removed
await server.remove();
// @ts-expect-error there is no such option
await startKugiri({ seeds: "testdata" });
