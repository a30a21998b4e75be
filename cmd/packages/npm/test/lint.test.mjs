import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { binaryPath } from "kugiri";

const resolve = createRequire(import.meta.url).resolve;
const shim = resolve("kugiri/package.json").replace("package.json", "bin/kugiri.js");
const typescript = dirname(resolve("typescript/package.json"));
const cases = JSON.parse(readFileSync("lint-cases.json", "utf8"));

/** Returns a directory with files, outside of the project, and a typescript unless it is to have none. */
function directory(t, files, { typed = true } = {}) {
  const dir = mkdtempSync(join(tmpdir(), "kugiri-lint-"));
  t.after(() => rmSync(dir, { recursive: true }));
  if (typed) {
    mkdirSync(join(dir, "node_modules"));
    symlinkSync(typescript, join(dir, "node_modules/typescript"), "junction");
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

function lint(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [shim, "lint", "--code", ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

function findings(...args) {
  const { status, stdout, stderr } = lint("--format", "json", ...args);
  assert.ok(status < 2, stderr);
  return JSON.parse(stdout).findings;
}

for (const policy of [[], ["--policy", "lint-policy.yaml"]]) {
  // One run for all cases: each has a file of its own.
  test(`the cases of codelint ${policy.length ? "under" : "without"} a policy`, (t) => {
    const dir = directory(t, Object.fromEntries(cases.map((c, i) => [`${i}.ts`, c.typescript])));
    const found = findings(...policy, dir);
    for (const [i, c] of cases.entries()) {
      const rules = found.filter((f) => f.file === join(dir, `${i}.ts`)).map((f) => f.rule);
      assert.deepEqual(rules, policy.length ? c.underPolicy : c.want, c.name);
    }
  });
}

test("trees deeper than the stack", (t) => {
  const dir = directory(t, {
    "chain.ts": `const x = b${'.add(t)'.repeat(5000)};\n`,
    "sum.ts": `const pk = a${' + "#" + b'.repeat(5000)};\n`,
  });
  const found = findings(dir);
  assert.deepEqual(found.map((f) => [f.file, f.rule]), [[join(dir, "sum.ts"), "key-by-hand"]]);
});

test("forms that Go has not", (t) => {
  const dir = directory(t, {
    "a.ts": [
      "class Keys { orderPk = `${prefix}#${t}`; sk(t: string) { return `${prefix}#${t}`; } }",
      "const pk = t ? `${prefix}#${t}` : undefined, sk = t ?? `${prefix}#${t}`;",
      "const keys = () => ({ pk: `${prefix}#${t}` }) satisfies Key;",
      "function f(pk = `${prefix}#${t}`) {}",
      "const title = list.map((x) => `${x}#${t}`), pk2 = tag`ORDER#${t}`;",
    ].join("\n"),
    "b.tsx": "export const A = () => <A sk={1} title={`ORDER#${t}`} href={`${page}#${t}`} />;",
  });
  assert.deepEqual(findings(dir).map((f) => `${f.file.slice(dir.length + 1)}:${f.line}:${f.column} ${f.code}`), [
    "a.ts:1:24 `${prefix}#${t}`",
    "a.ts:1:65 `${prefix}#${t}`",
    "a.ts:2:16 `${prefix}#${t}`",
    "a.ts:2:56 `${prefix}#${t}`",
    "a.ts:3:27 `${prefix}#${t}`",
    "a.ts:4:17 `${prefix}#${t}`",
    "a.ts:5:54 `ORDER#${t}`",
    "b.tsx:1:41 `ORDER#${t}`",
  ]);
});

test("findings of both languages are one report", (t) => {
  const dir = directory(t, { "a.go": 'package a\n\nvar x = "ORDER#" + t\n', "b.ts": "const sk = `${base}@${version}`;\n" });
  const { status, stdout, stderr } = lint(dir);
  assert.equal(status, 1);
  assert.match(stdout, /a\.go:3:9: key-by-hand: "ORDER#" \+ t; instead, .*conventions/);
  assert.match(stdout, /b\.ts:1:12: version-by-hand: .*; instead, use addSortKeyVersion/);
  assert.match(stderr, /2 findings/);
});

test("each directory is parsed by its own package typescript", (t) => {
  const first = directory(t, { "a.ts": "const pk = `ORDER#${t}`;\n" });
  const second = directory(t, {
    "b.ts": "const pk = `ORDER#${t}`;\n",
    "node_modules/typescript/package.json": '{"main": "index.js"}',
    "node_modules/typescript/index.js": 'exports.version = "5.0.0"; exports.ScriptTarget = {}; exports.createSourceFile = () => { throw new Error("its own"); };',
  }, { typed: false });
  const { status, stderr } = lint(first, second);
  assert.equal(status, 2);
  assert.match(stderr, /b\.ts:0:0: its own/);
});

test("a directory without findings", (t) => {
  const { status, stdout } = lint(directory(t, { "a.ts": "const pk = productPk(tenant);\n" }));
  assert.equal(status, 0);
  assert.match(stdout, /1 file of TypeScript: 0 findings/);
});

test("a file that is no TypeScript is named", (t) => {
  const { status, stderr } = lint(directory(t, { "a.ts": "const a = 1;\nconst = `" }));
  assert.equal(status, 2);
  assert.match(stderr, /a\.ts:2:\d+: /);
});

test("one line says what is missing", (t) => {
  const dir = directory(t, { "a.ts": "" }, { typed: false });
  const env = { ...process.env, PATH: "" };
  const { status, stderr } = spawnSync(binaryPath(), ["lint", "--code", dir], { encoding: "utf8", env });
  assert.equal(status, 2);
  assert.match(stderr, /1 file of TypeScript: there is no Node\.js: npm install --save-dev kugiri typescript, then npx kugiri lint --code/);
});
