// Runs the steps of a client and prints what the client matrix reads: see conformance/cmd/clients.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const server = process.env.MATRIX_SERVER;

/** The time limit of a program, in milliseconds. */
const limit = 55_000;

/** Says why a client cannot express a step. */
export const leftOut = (reason) => ({ reason });

/** Runs the steps of a package: an object of functions, or of what leftOut returns, by name. */
export async function run(name, steps) {
  console.log("version", version(name));
  const deadline = setTimeout(() => {
    console.log("the steps take too long");
    process.exit(1);
  }, limit);
  for (const [step, body] of Object.entries(steps)) {
    console.log(body.reason ? `left out ${step}: ${body.reason}` : await line(step, body));
  }
  clearTimeout(deadline);
}

/** Runs a step and returns its line. */
async function line(step, body) {
  try {
    await body();
    return `ok ${step}`;
  } catch (error) {
    return `failed ${step}: ${(error.stack ?? String(error)).replace(/\s+/g, " ")}`;
  }
}

/** Returns the version of an installed package. */
function version(name) {
  const manifest = new URL(`node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(manifest)).version;
}

/** Sends a request to the admin API and returns the answer. */
async function admin(method, path, body) {
  const response = await fetch(`${server}/_kugiri/${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return text && JSON.parse(text);
}

/**
 * Has the server leave parts of the next two batches of each operation unprocessed. The function
 * that it returns checks that each of them was hit twice.
 */
export async function unprocessed(...operations) {
  for (const operation of operations) {
    await admin("POST", "faults", { when: { operation, first: 2 }, do: { unprocessed: 0.5 } });
  }
  return async () => {
    const { faults } = await admin("GET", "faults");
    assert.deepEqual(
      faults.map((fault) => fault.hits),
      operations.map(() => 2),
    );
    await admin("DELETE", "faults");
  };
}

/** Moves the clock of a server that holds it, such as by "25h". */
export const advance = (by) => admin("POST", "clock/advance", { by });

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Returns the numbers from 1 to n. */
export const numbersTo = (n) => Array.from({ length: n }, (_, i) => i + 1);

/** Returns a list in parts of at most n elements. */
export function parts(list, n) {
  return numbersTo(Math.ceil(list.length / n)).map((i) => list.slice((i - 1) * n, i * n));
}

/** Numbers at the edges of what DynamoDB holds. */
export const edges = [
  "12345678901234567890123456789012345678",
  "-0.12345678901234567890123456789012345678",
  "0",
  "-42",
  "9007199254740993",
  "1" + "0".repeat(125),
  "-0." + "0".repeat(129) + "1",
];
export const tooLong = "123456789012345678901234567890123456789";
export const tooLongMessage = /Attempting to store more than 38 significant digits in a Number/;
