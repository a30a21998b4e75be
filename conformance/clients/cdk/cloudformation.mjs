// Calls the functions of a custom resource as CloudFormation, Lambda and Step Functions do. The
// functions are those of npm's packages. Where they sleep, the server's held clock moves instead.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";

import { DynamoDB } from "@aws-sdk/client-dynamodb";

const server = process.env.MATRIX_SERVER;
const region = process.env.AWS_REGION;

/** How often functions may ask, or sleep, in one change. */
const limit = 60;

/** Both packages set queryInterval to 10 seconds. */
const queryInterval = 10;

export const db = new DynamoDB();

// The SDK sleeps before it repeats a throttled request, which the functions leave to it: so the
// server's clock moves as well.
const { send } = DynamoDB.prototype;
DynamoDB.prototype.send = function (command, ...more) {
  const throttled = (next) => (request) => next(request).catch(async (error) => {
    if (error.name === "LimitExceededException") await advance(2);
    throw error;
  });
  command.middlewareStack.add(throttled, { step: "deserialize", priority: "high" });
  return send.call(this, command, ...more);
};

/** Returns a file of an installed package: also one that the package does not export. */
const fileOf = (name) => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url));

/** Returns the module of an installed file. */
export const load = (name) => createRequire(import.meta.url)(fileOf(name));

/**
 * Returns the module of an installed file, whose timers move the server's clock: for functions that
 * sleep between requests.
 */
export function loadWithClock(name) {
  const file = fileOf(name);
  const module = { exports: {} };
  let sleeps = 0;
  const setTimeout = (wake, milliseconds) => {
    assert.ok(++sleeps <= limit * 10, "it sleeps without an end");
    advance(milliseconds / 1000).then(wake);
  };
  const parameters = { exports: module.exports, require: createRequire(file), module, setTimeout };
  const body = compileFunction(readFileSync(file, "utf8"), Object.keys(parameters),
    { filename: file });
  body(...Object.values(parameters));
  return module.exports;
}

/** Moves the server's clock. */
async function advance(seconds) {
  const response = await fetch(`${server}/_kugiri/clock/advance`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ by: `${seconds}s` }),
  });
  assert.ok(response.ok, await response.text());
}

/** A custom resource: its functions, and what they send to other services, which this class is. */
export class CustomResource {
  #functions;
  #outbound;
  #physicalId;
  #properties;
  #waiter; // the input of the state machine that asks whether a change is complete
  #response; // what CloudFormation got
  #requests = 0;

  /** outbound is the package's module of requests to other services. */
  constructor(functions, outbound) {
    this.#functions = functions;
    this.#outbound = outbound;
  }

  /** Creates the resource. Each change returns how often its function said that it was not over. */
  create = (properties) => this.#change("Create", { ResourceProperties: properties });

  update = (properties) => this.#change("Update", {
    ResourceProperties: properties, OldResourceProperties: this.#properties,
  });

  delete = () => this.#change("Delete", { ResourceProperties: this.#properties });

  async #change(RequestType, properties) {
    await advance(60); // deployments do not follow each other in seconds
    const event = {
      RequestType, RequestId: `request${++this.#requests}`, PhysicalResourceId: this.#physicalId,
      StackId: `arn:aws:cloudformation:${region}:000000000000:stack/shop/1`,
      LogicalResourceId: "Table", ResponseURL: "https://cloudformation.invalid/", ...properties,
    };
    this.#waiter = this.#response = undefined;
    this.#outbound.startExecution = async ({ input }) => (this.#waiter = JSON.parse(input));
    this.#outbound.httpRequest = async (_, body) => (this.#response = JSON.parse(body));
    const invokedFunctionArn = `arn:aws:lambda:${region}:000000000000:function:onEvent`;
    const context = { invokedFunctionArn };
    await this.#functions.onEvent(event, context);
    const asked = await this.#wait(context);
    assert.equal(this.#response.Status, "SUCCESS", this.#response.Reason);
    this.#physicalId = this.#response.PhysicalResourceId;
    this.#properties = event.ResourceProperties;
    return asked;
  }

  /** Does what the waiter's state machine does: it asks again when the function throws Retry. */
  async #wait(context) {
    for (let asked = 0; ; asked++) {
      if (this.#response) return asked;
      assert.ok(this.#waiter, "nobody waits for the end of the change");
      assert.ok(asked < limit, "the change has no end");
      await this.#functions.isComplete(structuredClone(this.#waiter), context)
        .catch((error) => assert.equal(error.constructor.name, "Retry", error.stack));
      if (!this.#response) await advance(queryInterval);
    }
  }
}

/** Makes a table as CloudFormation does for CDK, and waits for it. */
export async function createTable(input) {
  await db.createTable(input);
  await until(async () => (await describe(input.TableName)).TableStatus === "ACTIVE");
}

/** Returns the description of a table, or undefined if there is none. */
export async function describe(TableName) {
  try {
    return (await db.describeTable({ TableName })).Table;
  } catch (error) {
    assert.equal(error.name, "ResourceNotFoundException");
    return undefined;
  }
}

/** Moves the server's clock until a condition holds. */
export async function until(condition) {
  for (let asked = 0; !(await condition()); asked++) {
    assert.ok(asked < limit, "it is never so");
    await advance(queryInterval);
  }
}

/** Runs the steps of a package and prints what conformance/cmd/clients reads. */
export async function run(name, steps) {
  const say = console.log;
  console.log = console.warn = () => {}; // the functions log every request
  say("version", JSON.parse(readFileSync(fileOf(`${name}/package.json`))).version);
  for (const [step, body] of Object.entries(steps)) {
    try {
      await body();
      say(`ok ${step}`);
    } catch (error) {
      say(`failed ${step}: ${(error.stack ?? String(error)).replace(/\s+/g, " ")}`);
      break; // the next ones need this one
    }
  }
}
