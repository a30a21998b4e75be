module.exports = async (globalConfig, projectConfig) => {
  await require("kugiri/jest/setup")(globalConfig, projectConfig);
  const { default: makeTables } = await import("./tables.mjs");
  await makeTables();
};
