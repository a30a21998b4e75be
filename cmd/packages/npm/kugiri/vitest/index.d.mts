import type { StartOptions } from "kugiri";
import type { Plugin } from "vitest/config";

/** A plugin that starts a server for a run, and gives each test file a fork of its own. */
export default function kugiri(options?: StartOptions): Plugin;
