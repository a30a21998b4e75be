#!/usr/bin/env node
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { binaryPath } = require("../index.js");

const command = spawn(binaryPath(), process.argv.slice(2), { stdio: "inherit" });
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
