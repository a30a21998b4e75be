// A scope of the admin API: the server, or the fork of an access key. Each has its own clock,
// snapshots and faults.

import { computed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { admin } from "../api/admin";
import { explain } from "../api/dynamodb";
import type { Fork } from "../api/forks";
import { identity } from "./identity";
import { inOrder } from "./order";
import { kugiri, session } from "./session";

/** How the access keys of the forks begin from which the page undoes edits. */
export const undoPrefix = "console-undo-";

/** The forks that somebody has made, as far as the page knows: those of undo points are not among them. */
export const forks = computed<Fork[]>(() => (kugiri.value?.forks ?? []).filter((f) => !f.accessKey.startsWith(undoPrefix)));

/** The access key of the fork whose tables are shown, "" for the server. */
export const shownScope = computed(() => (forks.value.some((f) => f.accessKey === identity.value.accessKey) ? identity.value.accessKey : ""));

/** The path of a scope in the admin API. */
export const scopePath = (scope: string) => (scope ? `forks/${encodeURIComponent(scope)}/` : "");

/** Whether the page can show the tables of a fork: it can if it may choose the access key. */
export const canSwitch = computed(() => session.value?.choice || session.value?.endpoint === "");

export interface Polled<T> {
  data: T | undefined;
  error: string;
  refresh: () => Promise<void>;
}

/** Reads a path of the admin API again and again, every so many milliseconds. */
export function usePolled<T>(path: string, every: number): Polled<T> {
  const [state, setState] = useState<{ path: string; data?: T; error: string }>({ path, error: "" });
  const [ask] = useState(inOrder);
  const read = async () => {
    const isNew = ask();
    try {
      const data = await admin<T>("GET", path);
      if (isNew()) setState({ path, data, error: "" });
    } catch (e) {
      if (isNew()) setState((s) => ({ ...(s.path === path ? s : {}), path, error: explain(e) }));
    }
  };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const next = async () => {
      await read();
      if (!gone) timer = setTimeout(() => void next(), every);
    };
    void next();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [path, every]);
  return { ...(state.path === path ? { data: state.data, error: state.error } : { data: undefined, error: "" }), refresh: read };
}
