// The access key and the region whose tables the page shows. The address has them if they are not
// those that the session began with.

import { computed } from "@preact/signals";
import { route, setQuery } from "./route";
import { session } from "./session";

export interface Identity {
  accessKey: string; // "" for that of the server's credentials
  region: string;
}

export const identity = computed<Identity>(() => {
  const given = route.value.query.get("as");
  const s = session.value;
  const own = { accessKey: s?.accessKey ?? "", region: s?.region ?? "" };
  if (!given) return own;
  const at = given.lastIndexOf("@");
  return { accessKey: s?.choice ? given.slice(0, at) : own.accessKey, region: given.slice(at + 1) };
});

export function setIdentity(to: Identity): void {
  const s = session.value;
  const own = to.accessKey === (s?.accessKey ?? "") && to.region === s?.region;
  setQuery({ as: own ? undefined : `${to.accessKey}@${to.region}` });
}
