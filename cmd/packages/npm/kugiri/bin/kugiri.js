#!/usr/bin/env node
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { join } = require("node:path");
const { binaryPath } = require("../index.js");

function path() {
  try {
    return binaryPath();
  } catch (err) {
    console.error(err.message);
    process.exit(1);
  }
}

// "kugiri lint --code" has TypeScript parsed by this package, and this Node.js.
const env = { ...process.env, KUGIRI_NODE: process.execPath, KUGIRI_PACKAGE: join(__dirname, "..") };
const command = spawn(path(), process.argv.slice(2), { stdio: "inherit", env });
command.on("error", (err) => {
  console.error(`kugiri: ${err.message}`);
  process.exitCode = 1;
});
command.on("exit", (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});
// A terminal sends SIGINT to the command, too.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => command.kill(signal));
