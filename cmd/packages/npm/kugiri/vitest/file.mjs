import { afterAll, inject } from "vitest";
import { useFork } from "../index.js";

// Each project of a run has a server of its own, so that the environment may be another's.
Object.assign(process.env, inject("kugiriEnv"));
const fork = await useFork();
afterAll(() => fork.remove());
