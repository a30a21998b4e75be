// A run of a Query or Scan: the items that it has returned so far, and what reading them cost.

import { useEffect, useRef, useState } from "preact/hooks";
import { call, explain, type Page } from "../api/dynamodb";
import { addCost, costOf, noCost, type Cost } from "../api/cost";
import type { Item } from "../api/values";
import type { Request } from "./read";

interface State {
  request?: Request; // what runs, undefined before the first run
  items: Item[];
  cost: Cost;
  next: (object | undefined)[]; // of each segment, what its next page adds to the request; undefined if it has ended
  reading: boolean;
  error: string;
}

export interface Run extends State {
  done: boolean;
  start: (request: Request, segments: number) => void;
  more: () => void;
  stop: () => void;
}

const nothing: State = { items: [], cost: noCost, next: [], reading: false, error: "" };

export function useRun(): Run {
  const [state, setState] = useState<State>(nothing);
  const reading = useRef<AbortController | undefined>(undefined);
  const stop = () => {
    reading.current?.abort();
    reading.current = undefined;
  };
  useEffect(() => stop, []);

  const read = async (before: State) => {
    const own = (reading.current = new AbortController());
    setState({ ...before, reading: true, error: "" });
    try {
      const after = await readPages(before, own.signal);
      if (!own.signal.aborted) setState(after);
    } catch (error) {
      if (!own.signal.aborted) setState({ ...before, reading: false, error: explain(error) });
    } finally {
      if (reading.current === own) reading.current = undefined;
    }
  };

  return {
    ...state,
    done: state.next.every((one) => one === undefined),
    start: (request, segments) => {
      stop();
      const next = Array.from({ length: segments }, (_, i) => (segments > 1 ? { Segment: i, TotalSegments: segments } : {}));
      void read({ ...nothing, request, next });
    },
    more: () => {
      if (!reading.current && !state.error && state.next.some((one) => one)) void read(state);
    },
    stop: () => {
      stop();
      setState({ ...state, reading: false });
    },
  };
}

// readPages reads a page of each segment that has not ended.
async function readPages(before: State, signal: AbortSignal): Promise<State> {
  const { operation, input } = before.request!;
  const after = { ...before, items: [...before.items], next: [...before.next] };
  const pages = await Promise.all(
    before.next.map((from) => from && call<Page>(operation, { ReturnConsumedCapacity: "INDEXES", ...input, ...from }, { signal })),
  );
  for (const [i, page] of pages.entries()) {
    if (!page) continue;
    for (const item of page.Items ?? []) after.items.push(item); // a page without items only counts them
    const { ExclusiveStartKey: _, ...segment } = before.next[i] as { ExclusiveStartKey?: Item };
    after.next[i] = page.LastEvaluatedKey ? { ...segment, ExclusiveStartKey: page.LastEvaluatedKey } : undefined;
    after.cost = addCost(after.cost, costOf(page));
  }
  return { ...after, reading: false, error: "" };
}
