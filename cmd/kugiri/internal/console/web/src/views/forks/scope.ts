// What the parts of a scope's page are given.

import type { Overview } from "../../api/admin";
import { explain } from "../../api/dynamodb";
import { identity } from "../../state/identity";

export interface ScopeProps {
  scope: string; // the access key of a fork, "" for the server
  overview: Overview;
  refresh: () => Promise<void>;
  fail: (text: string) => void; // shows an error, "" for none
}

/** The access keys whose tables a fork of a scope can have. A fork of a fork has those of the fork. */
export function origins({ scope, overview }: ScopeProps): string[] {
  if (scope) return [scope];
  return [...new Set((overview.namespaces ?? []).map((n) => n.accessKey).filter(Boolean))]; // "" is for all callers
}

/** The access key among the origins of a scope that is shown, or else the first. */
export function usualOrigin(p: ScopeProps): string {
  const all = origins(p);
  return all.includes(identity.value.accessKey) ? identity.value.accessKey : (all[0] ?? "");
}

/** Does something to a scope, and shows what became of it. */
export async function act(p: ScopeProps, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    p.fail("");
  } catch (e) {
    p.fail(explain(e));
  }
  await p.refresh();
}
