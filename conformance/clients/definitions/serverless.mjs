// Serverless Framework: the tables of a service, and of the template that "package" makes of it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { User, run } from "./tables.mjs";

const require = createRequire(import.meta.url);
const { version } = require("serverless/package.json");
const service = mkdtempSync(join(tmpdir(), "serverless-"));
cpSync("serverless", service, { recursive: true });

await run(version, {
  async packaged() {
    execFileSync("node", [require.resolve("serverless/bin/serverless.js"), "package"], { cwd: service, env: {
      ...process.env, SLS_TELEMETRY_DISABLED: "1", SLS_NOTIFICATIONS_MODE: "off", HOME: service } });
    const own = new User("own"), theirs = new User("theirs");
    assert.equal(own.apply(join(service, "serverless.yml")), "");
    assert.equal(theirs.apply(join(service, ".serverless/cloudformation-template-update-stack.json")), "");
    assert.deepEqual(await own.names(), ["bbb", "json-eu-west-1", "more-red", "shop-test-orders"]);
    const [mine, packaged] = [await own.tables(), await theirs.tables()];
    for (const table of mine) { // the template does not have the tags of the stack, which its tables get
      assert.deepEqual(table.Tags, [{ Key: "team", Value: "a" }]);
      table.Tags = [];
    }
    assert.deepEqual(mine, packaged);
  },
});
