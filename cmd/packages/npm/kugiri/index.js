"use strict";

const { spawn } = require("node:child_process");
const { randomUUID } = require("node:crypto");
const { once } = require("node:events");
const { binaryPath } = require("./binary.js");
const { ExplorationError, explore: exploreAccount } = require("./explore.js");
const { request } = require("./request.js");

const region = "us-east-1";

/** Starts a server on a free port. It ends with stop(), or with this process. */
async function startKugiri(options = {}) {
  checkStartOptions(options);
  const { seed = [], flags = [], binary = binaryPath() } = options;
  const seeds = [seed].flat().map((path) => `--seed=${path}`);
  const args = ["serve", "--port=0", "--admin", "--exit-with-stdin", ...seeds, ...flags];
  const server = spawn(binary, args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  const endpoint = await listeningAddress(server);
  // A program that forgets to call stop() ends nevertheless, and the server with it.
  for (const handle of [server, server.stdin, server.stdout, server.stderr]) handle.unref();
  const account = new Account(endpoint, "kugiri");
  return Object.assign(account, {
    stop: () => stop(server),
    [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]: () => stop(server),
  });
}

/** Resolves with the address that a server prints when it listens. */
function listeningAddress(server) {
  return new Promise((resolve, reject) => {
    let output = "";
    let errors = "";
    server.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const address = /^kugiri: listening at (\S+)$/m.exec(output)?.[1];
      if (!address) return;
      server.stdout.removeAllListeners("data").resume();
      server.stderr.removeAllListeners("data").pipe(process.stderr);
      server.removeAllListeners("close");
      resolve(address);
    });
    server.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
    server.once("error", reject);
    server.once("close", (code, signal) =>
      reject(new Error(`kugiri ended with ${signal ?? `status ${code}`} before it listened: ${errors.trim()}`)),
    );
  });
}

async function stop(server) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.ref();
  server.stdin.end();
  await once(server, "exit");
}

/** An access key of a server: requests that are signed with it see tables of their own. */
class Account {
  constructor(endpoint, accessKey) {
    this.endpoint = endpoint;
    this.accessKey = accessKey;
    this.clientOptions = {
      endpoint,
      region,
      credentials: { accessKeyId: accessKey, secretAccessKey: "kugiri" },
    };
    this.env = {
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ENDPOINT_URL_DYNAMODB_STREAMS: endpoint,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: accessKey,
      AWS_SECRET_ACCESS_KEY: "kugiri",
    };
  }

  /** Makes an access key that begins with the tables and items of this one. */
  async fork(options = {}) {
    checkOptions("fork", options, ["tenant", "clock"]);
    const accessKey = `fork-${randomUUID()}`;
    await request(this.endpoint, "POST", "forks", { accessKey, from: await this.origin(), ...options });
    return new Fork(this.endpoint, accessKey);
  }

  /** What a fork of this access key is made from. */
  async origin() {
    const { accessKeys, forks = [] } = await request(this.endpoint, "GET", "");
    const known = [...accessKeys, ...forks.map((fork) => fork.accessKey)];
    // An access key that nobody used has nothing but the seed, which every new fork has.
    return known.includes(this.accessKey) ? this.accessKey : undefined;
  }

  /** Runs the workers of a program in every order of their requests, each time on a fork. */
  explore(program, options) {
    return exploreAccount(this, program, options);
  }

  /** Sets the variables that let an SDK's client without options find this access key. */
  useInProcess() {
    // The SDK prefers a profile to the keys, and would sign with the token.
    const used = { ...this.env, AWS_PROFILE: undefined, AWS_SESSION_TOKEN: undefined };
    this.before ??= Object.fromEntries(Object.keys(used).map((name) => [name, process.env[name]]));
    setVariables(used);
  }

  /** Sets the variables to what they were before useInProcess(), if they are those of this access key. */
  leaveProcess() {
    if (this.before && process.env.AWS_ACCESS_KEY_ID === this.accessKey) setVariables(this.before);
    this.before = undefined;
  }

  /** Sends a request to the admin API, and returns its answer. */
  admin(method, path, body) {
    return request(this.endpoint, method, path, body);
  }
}

class Fork extends Account {
  /** Sends a request to the part of the admin API that is for this fork. */
  admin(method, path, body) {
    return request(this.endpoint, method, `forks/${this.accessKey}/${path}`, body);
  }

  /** Removes the fork with all that it has. A process that uses it goes back to what it used before. */
  async remove() {
    this.leaveProcess();
    await request(this.endpoint, "DELETE", `forks/${this.accessKey}`);
  }
}

/** Sets variables of the environment, and removes those that are undefined. */
function setVariables(variables) {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** Refuses options that a function does not have, such as misspelled ones. */
function checkOptions(name, options, known) {
  for (const option of Object.keys(options)) {
    if (!known.includes(option)) {
      throw new TypeError(`kugiri: ${name} has no option "${option}": it has ${known.join(", ")}`);
    }
  }
}

/** Refuses options that startKugiri does not have. */
function checkStartOptions(options) {
  checkOptions("kugiri", options, ["seed", "flags", "binary"]);
}

/** Makes a fork of the access key that this process uses, and uses it until its remove(). */
async function useFork(options) {
  const fork = await accountInUse().fork(options);
  fork.useInProcess();
  return fork;
}

/** Explores with forks of the access key that this process uses: see Account. */
async function explore(program, options) {
  return accountInUse().explore(program, options);
}

/** The access key that this process uses. */
function accountInUse() {
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_ACCESS_KEY_ID: accessKey } = process.env;
  if (!endpoint || !accessKey) {
    throw new Error("kugiri: this process uses no server: call useInProcess(), or explore() of a server or a fork");
  }
  return new Account(endpoint, accessKey);
}

module.exports = { ExplorationError, binaryPath, checkStartOptions, explore, startKugiri, useFork };
