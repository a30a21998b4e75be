// The requests that the server records. They are asked for while somebody looks at them.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { admin, AdminError } from "../api/admin";
import { explain } from "../api/dynamodb";
import type { Finding, Operation, Operations, Traffic } from "../api/traffic";
import { scopePath, shownScope } from "./scope";

export const operations = signal<Operation[]>([]); // the latest first
export const traffic = signal<Traffic | undefined>(undefined);
export const findings = signal<Finding[]>([]);
export const recording = signal(false);
export const paused = signal(false);
export const trafficError = signal("");

const interval = 1000; // milliseconds
const maxKept = 1000; // as many as a recording keeps

let from = ""; // the recording that the operations are of
let last = 0; // id of the last operation

/** Follows the requests as long as the view is shown. It begins to record if nobody has. */
export function useTraffic(): void {
  const base = scopePath(shownScope.value);
  useEffect(() => {
    const ends = new AbortController();
    forget();
    recording.value = true;
    void follow(base, ends.signal);
    return () => ends.abort();
  }, [base]);
}

async function follow(base: string, signal: AbortSignal): Promise<void> {
  let first = true;
  while (!signal.aborted) {
    if (recording.value && !paused.value && !document.hidden) {
      try {
        await poll(base, signal, first);
        trafficError.value = "";
      } catch (error) {
        if (!signal.aborted) trafficError.value = explain(error);
      }
      first = false;
    }
    await new Promise((done) => setTimeout(done, interval));
  }
}

async function poll(base: string, signal: AbortSignal, first: boolean): Promise<void> {
  let news: Operations;
  try {
    news = await admin<Operations>("GET", `${base}traffic/operations?after=${last}`);
  } catch (error) {
    if (!(error instanceof AdminError) || error.status !== 404) throw error;
    if (first) await begin(base);
    else recording.value = false; // somebody else ended it
    return;
  }
  if (signal.aborted) return;
  if (news.since !== from) {
    const known = last > 0;
    forget();
    from = news.since;
    if (known) return poll(base, signal, first); // the cursor was that of another recording
  }
  if (news.operations.length > 0) operations.value = [...news.operations.toReversed(), ...operations.value].slice(0, maxKept);
  if (news.last !== last || !traffic.value) await summarize(base, signal);
  last = news.last;
}

// summarize reads what is counted. It is asked for when there were requests.
async function summarize(base: string, signal: AbortSignal): Promise<void> {
  const [counted, found] = await Promise.all([
    admin<Traffic>("GET", base + "traffic"),
    foundIn(base),
  ]);
  if (signal.aborted) return;
  traffic.value = counted;
  findings.value = found.findings;
}

const foundIn = (base: string) => admin<{ findings: Finding[] }>("GET", base + "findings");

async function begin(base: string): Promise<void> {
  const begun = await admin<Traffic>("POST", base + "traffic");
  forget();
  from = begun.since;
  findings.value = (await foundIn(base)).findings; // those of before as well
  traffic.value = begun;
}

function forget(): void {
  operations.value = [];
  traffic.value = undefined;
  last = 0;
  from = "";
}

/** Forgets what was recorded, and records from now on. */
export async function record(): Promise<void> {
  await attempt(async () => {
    await begin(scopePath(shownScope.value));
    recording.value = true;
    paused.value = false;
  });
}

/** Ends the recording. What it has counted stays in sight. */
export async function stop(): Promise<void> {
  await attempt(async () => {
    traffic.value = await admin<Traffic>("DELETE", scopePath(shownScope.value) + "traffic");
    recording.value = false;
  });
}

async function attempt(run: () => Promise<void>): Promise<void> {
  try {
    await run();
    trafficError.value = "";
  } catch (error) {
    trafficError.value = explain(error);
  }
}
