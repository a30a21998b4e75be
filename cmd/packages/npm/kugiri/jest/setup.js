"use strict";

const { startKugiri } = require("../index.js");

/** Starts the server of a run, with the options of "globals.kugiri" in Jest's configuration. */
module.exports = async (_, project) => {
  const server = await startKugiri(project.globals.kugiri);
  server.useInProcess();
  globalThis.__kugiri = server;
};
