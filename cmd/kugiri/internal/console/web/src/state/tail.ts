// The last records of a stream, as many as fit.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { explain } from "../api/dynamodb";
import { identity } from "./identity";
import { StreamReader, type From, type StreamRecord } from "./stream";

export interface Tail {
  records: StreamRecord[]; // the oldest first
  left: number; // how many were read and are no longer kept
  shards: { open: number; all: number };
  begun: boolean; // the stream has been read once
  error: string;
  clear: () => void;
  restart: () => void;
}

const maxRecords = 10_000;
const maxBytes = 32 << 20;
const rest = 1000; // milliseconds between two reads

interface State extends Pick<Tail, "records" | "left" | "shards" | "begun" | "error"> {
  reader?: StreamReader; // that has read it
}

const nothing: State = { records: [], left: 0, shards: { open: 0, all: 0 }, begun: false, error: "" };

/** Reads a stream until paused, and goes on where it was. */
export function useTail(arn: string, from: From, paused: boolean): Tail {
  const { accessKey, region } = identity.value;
  const place = JSON.stringify([arn, from, accessKey, region]);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<State>(nothing);
  const reader = useMemo(() => new StreamReader(arn, from), [place, round]);
  const current = useRef(reader);
  current.current = reader;

  useEffect(() => {
    if (paused) return;
    const ends = new AbortController();
    const set: Change = (change) => {
      if (current.current === reader) setState((s) => change(s.reader === reader ? s : { ...nothing, reader }));
    };
    void follow(reader, ends.signal, set);
    return () => ends.abort();
  }, [reader, paused]);

  return {
    ...(state.reader === reader ? state : nothing), // nothing that was read from another place
    clear: () => setState((s) => ({ ...s, records: [], left: 0 })),
    restart: () => setRound(round + 1),
  };
}

type Change = (change: (s: State) => State) => void;

// follow reads until it is told to end, or there is an error.
async function follow(reader: StreamReader, ends: AbortSignal, set: Change): Promise<void> {
  set((s) => ({ ...s, error: "" }));
  while (!ends.aborted) {
    try {
      const come = await reader.poll(ends);
      if (ends.aborted && come.length === 0) return;
      set((s) => added(s, come, reader.progress));
      if (come.length === 0) await pause(ends);
    } catch (error) {
      if (!ends.aborted) set((s) => ({ ...s, begun: true, error: explain(error) }));
      return;
    }
  }
}

function added(s: State, come: StreamRecord[], shards: Tail["shards"]): State {
  if (come.length === 0) return { ...s, begun: true, shards };
  const [records, left] = kept([...s.records, ...come]);
  return { ...s, records, left: s.left + left, shards, begun: true, error: "" };
}

// kept returns the last records that fit, and how many do not.
function kept(all: StreamRecord[]): [StreamRecord[], number] {
  let size = 0;
  let first = all.length;
  while (first > 0 && all.length - first < maxRecords && size + all[first - 1]!.size <= maxBytes) size += all[--first]!.size;
  if (first === all.length) first--; // one that is larger than all is kept
  return first === 0 ? [all, 0] : [all.slice(first), first];
}

function pause(ends: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, rest);
    ends.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    }, { once: true });
  });
}
