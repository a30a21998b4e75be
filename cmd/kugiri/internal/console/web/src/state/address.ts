// A draft that the address keeps, and follows when the writing pauses.

import { useEffect, useRef, useState } from "preact/hooks";
import { usePaused } from "./plan";
import { leaving, route, setQuery, type Query } from "./route";

export interface AddressState<T> {
  draft: T;
  change: (to: Partial<T>) => void;
  arrived: number; // how often an address has brought a draft
  keep: (more?: Query) => void; // writes the address at once, with more parameters
}

/** The draft that of reads in the parameters of an address, which to writes. */
export function useAddress<T extends object>(of: (query: URLSearchParams) => T, to: (draft: T) => Query): AddressState<T> {
  const [draft, setDraft] = useState(() => of(route.value.query));
  const [arrived, setArrived] = useState(1);
  const inAddress = useRef(JSON.stringify(draft));
  const latest = useRef(draft);
  latest.current = draft;
  const paused = usePaused(draft);

  const write = (d: T, more: Query, replace: boolean) => {
    const query = to(d);
    const normal = JSON.stringify(of(parameters(query)));
    if (normal === inAddress.current && Object.keys(more).every((name) => route.value.query.get(name) === more[name])) return;
    inAddress.current = normal;
    setQuery({ ...query, ...more }, replace);
  };
  useEffect(() => {
    const there = of(route.value.query);
    if (JSON.stringify(there) === inAddress.current) return; // the address has changed by the draft itself
    inAddress.current = JSON.stringify(there);
    latest.current = there;
    setDraft(there);
    setArrived(arrived + 1);
  }, [route.value]);
  useEffect(() => {
    if (paused === latest.current && !leaving()) write(paused, {}, true); // else another address has come
  }, [paused]);

  return {
    draft,
    change: (changes) => setDraft((before) => ({ ...before, ...changes })),
    arrived,
    keep: (more = {}) => write(draft, more, false),
  };
}

function parameters(query: Query): URLSearchParams {
  return new URLSearchParams(Object.entries(query).filter((one): one is [string, string] => Boolean(one[1])));
}
