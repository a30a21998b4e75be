// The access key and the region whose tables the page shows. The address has them if they are not
// those that the session began with.

import { computed } from "@preact/signals";
import { callAs } from "../api/caller";
import { route, setQuery } from "./route";
import { kugiri, session, writable } from "./session";

export interface Identity {
  accessKey: string; // "" for that of the server's credentials
  region: string;
}

// A text, as it is equal to that of before where an object would be another one.
const named = computed(() => {
  const given = route.value.query.get("as");
  const s = session.value;
  const own = `${s?.accessKey ?? ""}@${s?.region ?? ""}`;
  if (!given) return own;
  return s?.choice || isFork(given) ? given : own.slice(0, own.lastIndexOf("@")) + given.slice(given.lastIndexOf("@"));
});

// isFork reports whether an identity is that of a fork, which the server of the page can show even
// where all other access keys see the same.
function isFork(given: string): boolean {
  return session.value?.endpoint === "" && hasFork(given.slice(0, given.lastIndexOf("@")));
}

const hasFork = (accessKey: string) => (kugiri.value?.forks ?? []).some((f) => f.accessKey === accessKey);

export const identity = computed<Identity>(() => {
  const at = named.value.lastIndexOf("@");
  return { accessKey: named.value.slice(0, at), region: named.value.slice(at + 1) };
});

callAs(() => {
  const { accessKey, region } = identity.value;
  return { accessKey, region, writes: writable.value, isFork: () => hasFork(accessKey) };
});

export function setIdentity(to: Identity): void {
  const s = session.value;
  const own = to.accessKey === (s?.accessKey ?? "") && to.region === s?.region;
  setQuery({ as: own ? undefined : `${to.accessKey}@${to.region}` });
}
