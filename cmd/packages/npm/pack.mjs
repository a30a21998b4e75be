// Packs the package kugiri, and a package for each platform: node pack.mjs BINARIES VERSION OUT
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [binaries, version, out] = process.argv.slice(2);
const source = new URL(".", import.meta.url).pathname;
const repository = join(source, "../../..");
const scratch = mkdtempSync(join(tmpdir(), "kugiri-npm-"));

// What Node.js calls the systems and processors that Go calls by other names.
const os = (name) => (name === "windows" ? "win32" : name);
const cpu = (name) => (name === "amd64" ? "x64" : name);

const main = JSON.parse(readFileSync(join(source, "kugiri/package.json"), "utf8"));
main.version = version;
main.optionalDependencies = {};
try {
  for (const platform of readdirSync(binaries).sort()) packPlatform(platform);
  packMain();
} finally {
  rmSync(scratch, { recursive: true });
}

function packPlatform(platform) {
  const [goos, goarch] = platform.split("_");
  const name = `@kugiri/${os(goos)}-${cpu(goarch)}`;
  const dir = join(scratch, platform);
  const file = goos === "windows" ? "kugiri.exe" : "kugiri";
  mkdirSync(join(dir, "bin"), { recursive: true });
  cpSync(join(binaries, platform, file), join(dir, "bin", file));
  chmodSync(join(dir, "bin", file), 0o755);
  const { license, repository: repo, engines } = main;
  const description = `The binary of kugiri for ${os(goos)} on ${cpu(goarch)}`;
  const limits = { os: [os(goos)], cpu: [cpu(goarch)], preferUnplugged: true };
  pack(dir, { name, version, description, license, repository: repo, engines, ...limits, files: ["bin"] });
  main.optionalDependencies[name] = version;
}

function packMain() {
  const dir = join(scratch, "kugiri");
  cpSync(join(source, "kugiri"), dir, { recursive: true });
  cpSync(join(repository, "emulator/docs/javascript.md"), join(dir, "README.md"));
  pack(dir, main);
}

function pack(dir, manifest) {
  writeFileSync(join(dir, "package.json"), JSON.stringify(manifest, null, 2) + "\n");
  cpSync(join(repository, "LICENSE"), join(dir, "LICENSE"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", out], { cwd: dir });
}
