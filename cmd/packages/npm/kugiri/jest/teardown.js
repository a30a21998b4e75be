"use strict";

module.exports = () => globalThis.__kugiri.stop();
