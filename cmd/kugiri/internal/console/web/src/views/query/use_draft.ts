// The draft of the form, which the address follows when the writing pauses.

import { useEffect, useRef, useState } from "preact/hooks";
import { draftOf, draftQuery, type Draft } from "../../state/draft";
import { usePaused } from "../../state/plan";
import { route, setQuery, type Query } from "../../state/route";

export interface DraftState {
  draft: Draft;
  change: (to: Partial<Draft>) => void;
  arrived: number; // how often an address has brought a draft
  keep: (run: boolean) => void; // writes the address at once
}

export function useDraft(): DraftState {
  const [draft, setDraft] = useState(() => draftOf(route.value.query));
  const [arrived, setArrived] = useState(1);
  const inAddress = useRef(JSON.stringify(draft));
  const paused = usePaused(draft);

  const write = (d: Draft, more: Query, replace: boolean) => {
    const query = draftQuery(d);
    const normal = JSON.stringify(draftOf(parameters(query)));
    if (normal === inAddress.current && Object.keys(more).every((name) => route.value.query.get(name) === more[name])) return;
    inAddress.current = normal;
    setQuery({ ...query, ...more }, replace);
  };
  useEffect(() => write(paused, {}, true), [paused]);
  useEffect(() => {
    const there = draftOf(route.value.query);
    if (JSON.stringify(there) === inAddress.current) return; // it is what was written
    inAddress.current = JSON.stringify(there);
    setDraft(there);
    setArrived(arrived + 1);
  }, [route.value]);

  return {
    draft,
    change: (to) => setDraft({ ...draft, ...to }),
    arrived,
    keep: (run) => write(draft, run ? { run: "1" } : {}, false),
  };
}

function parameters(query: Query): URLSearchParams {
  return new URLSearchParams(Object.entries(query).filter((one): one is [string, string] => Boolean(one[1])));
}
