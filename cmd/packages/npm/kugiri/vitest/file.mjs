import { relative } from "node:path";
import { afterAll, beforeEach, inject } from "vitest";
import { useFork } from "../index.js";

// Each project of a run has a server of its own, so that the environment may be another's.
Object.assign(process.env, inject("kugiriEnv"));
const fork = await useFork();
afterAll(() => fork.remove());

// What an exploration says of the test that runs it.
beforeEach(({ task }) => {
  const pattern = task.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("'", ".");
  const command = `npx vitest run ${relative("", task.file.filepath)} -t '${pattern}'`;
  globalThis[Symbol.for("kugiri.test")] = () => ({ name: task.name, command });
});
