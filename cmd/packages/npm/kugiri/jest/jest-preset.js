"use strict";

module.exports = {
  testEnvironment: "node",
  globalSetup: require.resolve("./setup.js"),
  globalTeardown: require.resolve("./teardown.js"),
  setupFilesAfterEnv: [require.resolve("./file.js")],
};
