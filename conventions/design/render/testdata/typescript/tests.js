// Runs the tests of designs in one process: a suite for each, in the directory of its test.
const path = require("node:path");
const { before, describe } = require("node:test");

for (const test of process.argv.slice(2)) {
  const [design] = test.split("/");
  const directory = path.join(__dirname, path.dirname(test));
  describe(design, () => {
    before(() => process.chdir(directory)); // for what reads the seed when the tests run
    process.chdir(directory); // for what reads it when the file is loaded
    require(path.join(__dirname, "out", test));
  });
}
