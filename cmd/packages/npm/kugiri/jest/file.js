"use strict";

const { relative } = require("node:path");
const { useFork } = require("../index.js");

// What an exploration says of the test that runs it.
globalThis[Symbol.for("kugiri.test")] = () => {
  const { currentTestName: name = "exploration", testPath } = expect.getState();
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("'", ".");
  return { name, command: `npx jest ${relative("", testPath)} -t '${pattern}'` };
};

/** Gives a test file a fork of its own, before it is loaded. */
module.exports = async () => {
  const fork = await useFork();
  afterAll(() => fork.remove());
};
