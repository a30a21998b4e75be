"use strict";

const { appendFileSync, mkdirSync, writeFileSync } = require("node:fs");
const { join, relative } = require("node:path");
const { request } = require("./request.js");

/** The bytes of a worker's error and values that reports have at most. */
const longest = 8000;

/** Where the setup of Vitest or Jest says which test runs: { name, command }. */
const testKey = Symbol.for("kugiri.test");

/** An exploration has found a failure. */
class ExplorationError extends Error {
  constructor(report) {
    super(report.failures.map((failure) => failure.page).join("\n\n"));
    this.name = "ExplorationError";
    this.report = report;
  }
}

/** Runs the workers of a program in every order of their requests, on forks of an account. */
async function explore(account, program, options = {}) {
  const test = testOf(options);
  const first = await define(program);
  const { endpoint } = account;
  const { id } = await request(endpoint, "POST", "explorations", {
    ...test,
    ...settingsOf(options),
    from: await account.origin(),
    region: account.clientOptions.region,
    workers: [...first.workers].map(([name, worker]) => ({
      name,
      mortal: worker.mortal,
      restarts: !!worker.restart,
      consumes: worker.consumes,
      mapping: worker.mapping,
    })),
    checks: first.checks.length > 0,
    always: first.always.length > 0 || undefined,
  });
  const exploration = new Exploration(account, id, program, options);
  try {
    const report = await exploration.loop(first);
    const reports = process.env.KUGIRI_EXPLORE_REPORT;
    if (reports && report.part) appendFileSync(reports, `${JSON.stringify(report.part)}\n`);
    writePages(report, test.name, options.pages ?? process.env.KUGIRI_EXPLORE_PAGES);
    if (report.failures.length > 0) throw new ExplorationError(report);
    return report;
  } finally {
    await exploration.end();
  }
}

/** The settings of an exploration that the server reads. */
function settingsOf(options) {
  const { faults, kinds, clockMoves, cachedReads, serializable, ignore, all, budget, longest, seed, patience } = options;
  const { within, allow } = options;
  const env = process.env;
  const schedule = options.schedule ?? (env.KUGIRI_EXPLORE || undefined);
  const part = env.KUGIRI_EXPLORE_PART || (env.KUGIRI_EXPLORE_REPORT && !schedule ? "1/1" : undefined);
  return {
    ...{ faults, kinds, clockMoves, cachedReads, serializable, ignore, all, budget, longest, seed, patience },
    ...{ within, allow, schedule, part },
  };
}

/** The name of the test that explores, and the command that runs it. */
function testOf({ name, command }) {
  const current = globalThis[testKey]?.() ?? {
    name: "exploration",
    command: `node --test ${process.argv[1] ? relative("", process.argv[1]) : ""}`.trim(),
  };
  return { name: name ?? current.name, command: command ?? current.command };
}

/** Calls the function that describes a run, and returns the workers and checks that it adds. */
async function define(program) {
  const run = { workers: new Map(), checks: [], always: [] };
  const add = (name, worker) => {
    if (run.workers.has(name)) throw new Error(`kugiri: there are two workers "${name}"`);
    run.workers.set(name, worker);
  };
  await program({
    worker(name, work, { restart } = {}) {
      const again = restart === true ? work : restart;
      add(name, { work, mortal: restart !== undefined, restart: again || undefined });
    },
    consumer(name, table, handle, mapping) {
      add(name, { handle, consumes: table, mapping });
    },
    check(check) {
      run.checks.push(check);
    },
    always(holds) {
      run.always.push(holds);
    },
  });
  return run;
}

class Exploration {
  constructor(account, id, program, options) {
    Object.assign(this, { account, id, program, options, clients: new Map() });
    this.broken = new Promise((_, reject) => (this.break = reject));
    this.broken.catch(() => {}); // it is looked at in the loop
  }

  post(path, body) {
    return request(this.account.endpoint, "POST", `explorations/${this.id}/${path}`, body);
  }

  /** Does what the server says is next, and returns the report. */
  async loop(run) {
    for (let number = 1; ; ) {
      const step = await Promise.race([this.post("next"), this.broken]);
      switch (step.do) {
        case "run":
          if (number++ > 1) run = await define(this.program);
          for (const seat of step.workers) this.start(run, step.run, seat);
          break;
        case "handle":
          this.handle(run, step);
          break;
        case "check":
          await this.post("checked", { run: step.run, error: await this.check(run.checks, step.accessKey) });
          break;
        case "always":
          await this.post("checked", { run: step.run, error: await this.check(run.always, step.accessKey) });
          break;
        case "report":
          return step.report;
      }
    }
  }

  /** Runs a worker, and again for as long as it dies. */
  async start(run, number, { name, accessKey }) {
    const worker = run.workers.get(name);
    try {
      if (!worker) throw new Error(`kugiri: the first run has a worker "${name}", and a later one has not`);
      const client = await this.client(accessKey);
      for (let work = worker.work, again = true; again; work = worker.restart) {
        const end = await this.endOf(name, () => work(client));
        ({ again } = await this.post("ended", { run: number, worker: name, ...end }));
      }
    } catch (error) {
      // 409: the run is over, and has left the worker behind.
      if (error.status !== 409) this.break(error);
    }
  }

  /** Has a consumer handle a batch of records. */
  async handle(run, { run: number, delivery, event, workers: [{ name, accessKey }] }) {
    try {
      const { handle } = run.workers.get(name) ?? {};
      if (!handle) throw new Error(`kugiri: the first run has a consumer "${name}", and a later one has not`);
      const client = await this.client(accessKey);
      const end = { run: number, worker: name, delivery };
      try {
        const response = await handle(event, client);
        if (response != null) end.response = JSON.stringify(response);
      } catch (thrown) {
        Object.assign(end, { error: cut(errorText(thrown)), broken: isAssertion(thrown) });
      }
      await this.post("ended", end);
    } catch (error) {
      if (error.status !== 409) this.break(error); // 409: the run is over
    }
  }

  /** Runs a worker to its end, and describes that. */
  async endOf(worker, work) {
    const { aborts, project } = this.options;
    let value;
    let error;
    let failed = false;
    try {
      value = await work();
    } catch (thrown) {
      [failed, error] = [true, thrown];
    }
    if (project) value = project({ worker, value, error });
    const values = value === undefined ? undefined : [cut(textOf(value))];
    if (!failed) return { values };
    return { values, error: cut(errorText(error)), aborted: !!aborts?.(error), broken: isAssertion(error) };
  }

  /** Runs the checks, and returns what they have found. */
  async check(checks, accessKey) {
    const client = await this.client(accessKey);
    for (const check of checks) {
      try {
        await check(client);
      } catch (error) {
        return cut(errorText(error));
      }
    }
    return undefined;
  }

  /** The client of an access key, which is made once. */
  client(accessKey) {
    if (!this.clients.has(accessKey)) {
      const { clientOptions } = this.account;
      const options = { ...clientOptions, credentials: { ...clientOptions.credentials, accessKeyId: accessKey } };
      this.clients.set(accessKey, Promise.resolve(this.options.client ? this.options.client(options) : options));
    }
    return this.clients.get(accessKey);
  }

  async end() {
    await request(this.account.endpoint, "DELETE", `explorations/${this.id}`).catch(() => {});
    for (const client of await Promise.allSettled(this.clients.values())) client.value?.destroy?.();
  }
}

// Jest runs a file in a realm of its own, to which Node's errors do not belong: no instanceof.
const isError = (error) => typeof error?.message === "string";
const isAssertion = (error) => isError(error) && (error.name === "AssertionError" || "matcherResult" in error);

const cut = (text) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

function errorText(error) {
  return isError(error) ? `${error.name}: ${error.message}` : String(error);
}

/** A result as text. What an SDK adds to it about the request is different each time. */
function textOf(value) {
  if (typeof value === "string") return value;
  const simple = (key, v) => (key === "$metadata" ? undefined : typeof v === "bigint" ? String(v) : v);
  return JSON.stringify(value, simple) ?? String(value);
}

/** Writes each failure as a page of HTML into a directory, and names it in its text. */
function writePages(report, name, directory) {
  if (!directory || report.failures.length === 0) return;
  mkdirSync(directory, { recursive: true });
  for (const [i, failure] of report.failures.entries()) {
    const file = join(directory, `${name.replace(/[/\\:*?"<>|]/g, "-").slice(0, 100)}-${i + 1}.html`);
    writeFileSync(file, failure.html);
    failure.page += `\nSee it: ${file}`;
  }
}

module.exports = { ExplorationError, explore };
