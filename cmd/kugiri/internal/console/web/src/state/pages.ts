// The items that a Query or a Scan has read so far.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { call, explain, type Page, type TableDescription } from "../api/dynamodb";
import type { Item } from "../api/values";
import { identity } from "./identity";
import { currentOf, knownOf, listed, readingBegins, written } from "./known";
import { maxUnits } from "./session";
import type { Since } from "./versions";

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
  since: Since | undefined; // the table as it was when the reading began
}

interface State {
  items: Item[];
  from?: Item;
  done: boolean;
  reading: boolean;
  scanned: number;
  units: number;
  error: string;
  since?: Since;
}

const firstPage = 100; // what is shown first is read fast
const nextPages = 1000;

const nothing: State = { items: [], done: false, reading: true, scanned: 0, units: 0, error: "" };

/**
 * Reads the items of a request, undefined for none yet, a page whenever more are wanted. It shows them as they
 * are known, and reads them again when some came, or when nobody knows what has changed. Those of an index may
 * be parts of items: they are read again after each write.
 */
export function usePages(table: TableDescription, operation: "Query" | "Scan", input: object | undefined): Pages {
  const [state, setState] = useState<State>(nothing);
  const [round, setRound] = useState(0);
  const [allowed, setAllowed] = useState(1); // times maxUnits
  const reading = useRef<AbortController | undefined>(undefined);
  const { accessKey, region } = identity.value;
  const text = JSON.stringify(input);
  const inIndex = input !== undefined && "IndexName" in input;
  const known = knownOf(table);
  const items = useMemo(() => (inIndex ? state.items : currentOf(table, state.items)), [state.items, known.versions, inIndex]);

  const read = async (before: State) => {
    const own = (reading.current = new AbortController());
    setState({ ...before, reading: true, error: "" });
    try {
      const began = readingBegins();
      const sent = written()(table);
      const after = await readPage(operation, input!, before, own.signal, (version) => ({ ...sent, version, at: began }));
      if (own.signal.aborted) return;
      if (!inIndex) listed(table, after.items.slice(before.items.length), began);
      setState(after);
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
  }, [operation, text, accessKey, region, round, known.resets, inIndex ? known.writes : known.comings]);

  const held = !state.done && state.units >= allowed * maxUnits.value;
  return {
    ...state,
    items,
    since: state.since,
    held,
    readOn: () => {
      setAllowed(allowed + 1);
      if (!reading.current) void read({ ...state, error: "" });
    },
    more: () => {
      if (!held && !state.done && !reading.current && !state.error) void read(state);
    },
    restart: () => setRound((n) => n + 1),
  };
}

// readPage reads on until there are items, as a page may have none and not be the last. A filter
// should not read a whole table at once, so it stops after some pages.
async function readPage(operation: string, input: object, before: State, signal: AbortSignal, since: (version: string) => Since): Promise<State> {
  const state = { ...before, items: [...before.items] };
  const wanted = state.items.length + 1;
  for (let pages = 0; pages < 10 && !state.done && state.items.length < wanted; pages++) {
    const page: Page = await call(operation, {
      Limit: state.items.length ? nextPages : firstPage,
      ReturnConsumedCapacity: "TOTAL",
      ...input,
      ...(state.from ? { ExclusiveStartKey: state.from } : {}),
    }, { signal, told: (headers) => {
      const version = headers.get("X-Kugiri-Table-Version");
      if (version !== null && !state.since) state.since = since(version);
    } });
    for (const item of page.Items) state.items.push(item);
    state.scanned += page.ScannedCount;
    state.units += page.ConsumedCapacity?.CapacityUnits ?? 0;
    if (page.LastEvaluatedKey) state.from = page.LastEvaluatedKey;
    else state.done = true;
  }
  return { ...state, reading: false, error: "" };
}
