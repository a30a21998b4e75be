// A run of PartiQL statements: what came of each.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Call } from "../api/code";
import { call, explain, ServiceError } from "../api/dynamodb";
import type { Statement } from "../api/partiql";
import type { Item } from "../api/values";
import { t } from "../i18n";
import { placesOf } from "./partiql";
import { recorded } from "./sendings";

export interface Outcome {
  statement: Statement;
  state: "waiting" | "running" | "done" | "failed";
  items: Item[];
  units: number | undefined; // of a request for several statements, those of all at the first
  error: string;
  next?: object; // the request of the next page
}

interface Answer {
  Items?: Item[];
  Responses?: { Item?: Item; Error?: { Code: string; Message: string } }[];
  ConsumedCapacity?: { CapacityUnits: number } | { CapacityUnits: number }[];
  NextToken?: string;
}

export interface PartiQLRun {
  outcomes: Outcome[];
  running: boolean;
  start: (statements: Statement[], calls: Call[], say: (text: string) => void) => void;
  more: (at: number) => void;
}

export function usePartiQLRun(): PartiQLRun {
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const [running, setRunning] = useState(false);
  const latest = useRef<AbortController | undefined>(undefined);
  useLayoutEffect(() => () => latest.current?.abort(), []);

  const run = async (from: Outcome[], work: (own: AbortController, show: (all: Outcome[]) => void) => Promise<void>) => {
    latest.current?.abort();
    const own = (latest.current = new AbortController());
    setOutcomes(from);
    setRunning(true);
    await work(own, (all) => own.signal.aborted || setOutcomes(all));
    if (!own.signal.aborted) setRunning(false);
  };

  return {
    outcomes,
    running,
    start: (statements, calls, say) => {
      const waiting = statements.map((statement): Outcome => ({ statement, state: "waiting", items: [], units: undefined, error: "" }));
      void run(waiting, async (own, show) => {
        const work = () => (calls[0]?.operation === "ExecuteStatement" ? runEach(waiting, calls, own, show) : runTogether(waiting, calls[0]!, own, show));
        await recorded("partiql", await placesOf(calls), work, say).catch((e: unknown) => show(waiting.map((one) => ({ ...one, state: "failed", error: explain(e) }))));
      });
    },
    more: (at) => {
      const one = outcomes[at];
      if (!one?.next || running) return;
      void run(outcomes, async (own, show) => show(outcomes.with(at, await nextPage(one, own.signal))));
    },
  };
}

// runEach runs one statement after the other, up to the first that fails.
async function runEach(waiting: Outcome[], calls: Call[], own: AbortController, show: (all: Outcome[]) => void): Promise<void> {
  let all = waiting;
  for (const [i, { input }] of calls.entries()) {
    if (own.signal.aborted) return;
    show((all = all.with(i, { ...all[i]!, state: "running" })));
    const done = await nextPage({ ...all[i]!, next: input }, own.signal);
    show((all = all.with(i, done)));
    if (done.error) return;
  }
}

async function nextPage(one: Outcome, signal: AbortSignal): Promise<Outcome> {
  const { next, ...before } = one;
  try {
    const answer = await call<Answer>("ExecuteStatement", { ...next, ReturnConsumedCapacity: "TOTAL" }, { signal });
    return {
      ...before,
      state: "done",
      items: [...one.items, ...(answer.Items ?? [])],
      units: (one.units ?? 0) + unitsOf(answer),
      ...(answer.NextToken ? { next: { ...next, NextToken: answer.NextToken } } : {}),
    };
  } catch (error) {
    return { ...before, state: "failed", error: explain(error) };
  }
}

// runTogether runs all statements in one request, whose answer has a part for each.
async function runTogether(waiting: Outcome[], { operation, input }: Call, own: AbortController, show: (all: Outcome[]) => void): Promise<void> {
  show(waiting.map((one) => ({ ...one, state: "running" })));
  try {
    const answer = await call<Answer>(operation, { ...input, ReturnConsumedCapacity: "TOTAL" }, { signal: own.signal });
    show(waiting.map((one, i): Outcome => {
      const { Item, Error: failure } = answer.Responses?.[i] ?? {};
      const error = failure ? `${failure.Code}: ${failure.Message}` : "";
      return { ...one, state: error ? "failed" : "done", items: Item ? [Item] : [], units: i === 0 ? unitsOf(answer) : undefined, error };
    }));
  } catch (error) {
    show(waiting.map((one, i) => ({ ...one, state: "failed", error: reasonOf(error, i) })));
  }
}

// reasonOf is why a statement of a transaction failed, or the whole of it.
function reasonOf(error: unknown, at: number): string {
  if (error instanceof ServiceError && Array.isArray(error.body["CancellationReasons"])) {
    const { Code, Message } = (error.body["CancellationReasons"] as { Code?: string; Message?: string }[])[at] ?? {};
    return Code === "None" || !Code ? t("partiql.canceled") : `${Code}: ${Message ?? ""}`;
  }
  return explain(error);
}

function unitsOf({ ConsumedCapacity: of }: Answer): number {
  return (Array.isArray(of) ? of : of ? [of] : []).reduce((sum, one) => sum + one.CapacityUnits, 0);
}
