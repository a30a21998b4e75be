"use strict";

const { useFork } = require("../index.js");

/** Gives a test file a fork of its own, before it is loaded. */
module.exports = async () => {
  const fork = await useFork();
  afterAll(() => fork.remove());
};
