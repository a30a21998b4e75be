module.exports = { rootDir: "..", preset: "kugiri/jest", globalSetup: "./own/setup.js" };
