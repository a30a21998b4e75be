// Compiled, not run: what TypeScript knows of the packages.
import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { startKugiri, type Fork } from "kugiri";
import kugiri from "kugiri/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({ plugins: [kugiri({ seed: ["a.json", "b.json"], flags: ["--clock=held"] })] });

const server = await startKugiri({ seed: "testdata" });
const fork: Fork = await server.fork();
new DynamoDB(fork.clientOptions);
await fork.remove();
await server.stop();
// @ts-expect-error a server is not removed
await server.remove();
// @ts-expect-error there is no such option
await startKugiri({ seeds: "testdata" });
