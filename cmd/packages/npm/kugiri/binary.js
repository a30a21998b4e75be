"use strict";

const { spawnSync } = require("node:child_process");
const { accessSync, constants, existsSync, realpathSync } = require("node:fs");
const { delimiter, join } = require("node:path");

const windows = process.platform === "win32";
const file = windows ? "kugiri.exe" : "kugiri";

/**
 * Returns the path of the binary: that of $KUGIRI_BINARY, or of the package for this machine, or on the
 * PATH, or, if this package is used from a clone, what Go builds from it.
 */
function binaryPath() {
  const path = given() ?? packaged() ?? onPath(file) ?? built();
  if (path) return path;
  throw new Error(
    `kugiri: there is no binary. The package ${platform} is not installed (a release has it as an optional ` +
      "dependency), the PATH has no command kugiri, and KUGIRI_BINARY names none. Name a binary with " +
      'KUGIRI_BINARY, or put one on the PATH ("go install ./cmd/kugiri" in a clone of the repository), or ' +
      "install Go: a package that is used from a clone then builds it.",
  );
}

const platform = `@kugiri/${process.platform}-${process.arch}`;

function given() {
  const path = process.env.KUGIRI_BINARY;
  if (!path) return;
  if (!runnable(path)) throw new Error(`kugiri: KUGIRI_BINARY names ${path}, which is no program`);
  return path;
}

function packaged() {
  try {
    return require.resolve(`${platform}/bin/${file}`);
  } catch {}
}

/** Returns the path of a program on the PATH, but not that of the script of this package. */
function onPath(name) {
  for (const dir of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(dir, name);
    if (dir && runnable(path) && !realpathSync(path).endsWith(".js")) return path;
  }
}

function runnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let cached; // what Go has built for this process

/**
 * Builds the binary of the clone that this package is part of. It stays in Go's cache, outside of the
 * clone, so that a later call only looks whether it is up to date.
 */
function built() {
  const clone = join(realpathSync(__dirname), "../../../..");
  const go = onPath(windows ? "go.exe" : "go");
  if (!go || !existsSync(join(clone, "cmd/kugiri/main.go"))) return;
  if (cached) return cached;
  process.stderr.write(`kugiri: the server is what go builds of ${clone}; the first time that takes a minute\n`);
  // A binary that was not in Go's cache is gone when "go run" ends: then the second run finds it there.
  let path = run(go, clone);
  if (!runnable(path)) path = run(go, clone);
  if (!runnable(path)) throw new Error(`kugiri: Go does not keep what it builds of ${clone}: name a binary with KUGIRI_BINARY`);
  return (cached = path);
}

/** Returns the path of the binary that "go run" runs in a clone. */
function run(go, clone) {
  const print = `'${process.execPath}' -p process.argv[1]`; // a program that prints what it should run
  const args = ["run", "-mod=readonly", "-buildvcs=false", "-exec", print, "./cmd/kugiri"];
  const { status, error, stdout, stderr } = spawnSync(go, args, {
    cwd: clone,
    encoding: "utf8",
    env: { ...process.env, GOWORK: "", NODE_OPTIONS: "" },
    windowsHide: true,
  });
  if (status === 0) return stdout.trim();
  throw new Error(
    `kugiri: Go does not build the server of ${clone}: ${error?.message ?? stderr.trim()}\n` +
      "Install the Go that its go.mod names, or name a binary with KUGIRI_BINARY, or put kugiri on the PATH.",
  );
}

module.exports = { binaryPath };
