// AWS SAM: the tables of a template, and of the one that SAM's translator makes of it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { User, run } from "./tables.mjs";

const [version, template] = execFileSync("venv/bin/python", ["translate.py"],
  { encoding: "utf8", env: { ...process.env, AWS_DEFAULT_REGION: "eu-west-1" }, stdio: ["ignore", "pipe", "ignore"] })
  .split("\n");
const translated = join(mkdtempSync(join(tmpdir(), "sam-")), "sam.json");
writeFileSync(translated, template);

await run(version, {
  async translated() {
    const own = new User("own"), theirs = new User("theirs");
    assert.equal(own.apply("sam.yaml"), "");
    assert.equal(theirs.apply(translated), "");
    assert.deepEqual(await own.names(), ["Plain", "Recover", "full", "named-dev"]);
    assert.deepEqual(await own.tables(), await theirs.tables());
  },
});
