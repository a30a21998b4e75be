import { checkStartOptions } from "../index.js";

/** A plugin that starts a server for a run, and gives each test file a fork of its own. */
export default function kugiri(options = {}) {
  checkStartOptions(options); // here, where the stack names the configuration
  return {
    name: "kugiri",
    config: (config) => {
      const test = (config.test ??= {});
      // The server is there before the project's own setup runs, which may make tables.
      test.globalSetup = ["kugiri/vitest/setup", ...[test.globalSetup ?? []].flat()];
      test.setupFiles = ["kugiri/vitest/file", ...[test.setupFiles ?? []].flat()];
      test.provide = { ...test.provide, kugiriOptions: options };
    },
  };
}
