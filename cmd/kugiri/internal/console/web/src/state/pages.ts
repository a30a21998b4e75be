// The items that a Query or a Scan has read so far.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { call, explain, type Page } from "../api/dynamodb";
import type { Item } from "../api/values";
import { identity } from "./identity";
import { maxUnits } from "./session";

export interface Pages {
  items: Item[];
  done: boolean; // there are no more
  reading: boolean;
  scanned: number; // how many items were evaluated
  units: number; // capacity units
  error: string;
  held: boolean; // it has read as much as it may without being asked
  more: () => void;
  readOn: () => void; // reads as much again
  restart: () => void;
  replace: (one: (item: Item) => Item | undefined) => void; // shows other versions of items, undefined: no longer
}

interface State {
  items: Item[];
  from?: Item;
  done: boolean;
  reading: boolean;
  scanned: number;
  units: number;
  error: string;
}

const firstPage = 100; // what is shown first is read fast
const nextPages = 1000;

const nothing: State = { items: [], done: false, reading: true, scanned: 0, units: 0, error: "" };

/** Reads the items of a request, undefined for none yet, a page whenever more are wanted. */
export function usePages(operation: "Query" | "Scan", input: object | undefined): Pages {
  const [state, setState] = useState<State>(nothing);
  const [round, setRound] = useState(0);
  const [allowed, setAllowed] = useState(1); // times maxUnits
  const reading = useRef<AbortController | undefined>(undefined);
  const { accessKey, region } = identity.value;
  const text = JSON.stringify(input);

  const read = async (before: State) => {
    const own = (reading.current = new AbortController());
    setState({ ...before, reading: true, error: "" });
    try {
      const after = await readPage(operation, input!, before, own.signal);
      if (!own.signal.aborted) setState(after);
    } catch (error) {
      if (!own.signal.aborted) setState({ ...before, reading: false, error: explain(error) });
    } finally {
      if (reading.current === own) reading.current = undefined;
    }
  };

  useLayoutEffect(() => { // reads at once, without waiting for a frame
    setAllowed(1);
    setState(input ? nothing : { ...nothing, done: true, reading: false });
    if (input) void read(nothing);
    return () => {
      reading.current?.abort();
      reading.current = undefined;
    };
  }, [operation, text, accessKey, region, round]);

  const held = !state.done && state.units >= allowed * maxUnits.value;
  return {
    ...state,
    held,
    readOn: () => {
      setAllowed(allowed + 1);
      if (!reading.current) void read({ ...state, error: "" });
    },
    more: () => {
      if (!held && !state.done && !reading.current && !state.error) void read(state);
    },
    restart: () => setRound((n) => n + 1),
    replace: (one) => setState((s) => ({ ...s, items: s.items.map(one).filter((item) => item !== undefined) })),
  };
}

// readPage reads on until there are items, as a page may have none and not be the last. A filter
// should not read a whole table at once, so it stops after some pages.
async function readPage(operation: string, input: object, before: State, signal: AbortSignal): Promise<State> {
  const state = { ...before, items: [...before.items] };
  const wanted = state.items.length + 1;
  for (let pages = 0; pages < 10 && !state.done && state.items.length < wanted; pages++) {
    const page: Page = await call(operation, {
      Limit: state.items.length ? nextPages : firstPage,
      ReturnConsumedCapacity: "TOTAL",
      ...input,
      ...(state.from ? { ExclusiveStartKey: state.from } : {}),
    }, { signal });
    for (const item of page.Items) state.items.push(item);
    state.scanned += page.ScannedCount;
    state.units += page.ConsumedCapacity?.CapacityUnits ?? 0;
    if (page.LastEvaluatedKey) state.from = page.LastEvaluatedKey;
    else state.done = true;
  }
  return { ...state, reading: false, error: "" };
}
