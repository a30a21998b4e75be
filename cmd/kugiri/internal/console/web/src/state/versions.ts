// What programs write meanwhile, as far as the server of the page tells: only that of Kugiri itself does.

import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { callerHeaders, type TableDescription } from "../api/dynamodb";
import { send } from "../api/http";
import { identity } from "./identity";
import { knownOf, written } from "./known";
import { inOrder } from "./order";
import { kugiri } from "./session";
import { refreshNames, tableNames, tablesLoading } from "./tables";

type Versions = { [table: string]: string };

/** A text of each table that is another one when items of it were written; undefined: nobody tells. */
export const versions = signal<{ as: unknown; of: Versions; written: ReturnType<typeof written> } | undefined>(undefined);

const asked = inOrder();
let told = true; // the server tells

/** Asks for the versions. New tables then appear, and those that are gone go. */
export async function refreshVersions(): Promise<void> {
  if (!kugiri.value || !told) return;
  const as = identity.value;
  const isNew = asked();
  const then = written(); // before the server answers
  const answer = await send("versions", { headers: callerHeaders() });
  if (answer.status === 404) told = false;
  if (!answer.ok) return;
  const of = (await answer.json()) as Versions;
  if (!isNew() || as !== identity.value) return;
  versions.value = { as, of, written: then };
  const names = Object.keys(of);
  if (!tablesLoading.peek() && (names.length !== tableNames.peek().length || tableNames.peek().some((one) => of[one] === undefined))) await refreshNames();
}

// A version is the identity of the table, and how many items were written.
function read(version: string): { id: string; writes: number } {
  const at = version.lastIndexOf(".");
  return { id: version.slice(0, at), writes: Number(version.slice(at + 1)) };
}

/**
 * Whether others have written to a table since it was read. reading changes with each read. What this page
 * sends, and other tabs, does not count: it is shown.
 */
export function useChanged(table: TableDescription, reading: unknown): boolean {
  const known = knownOf(table);
  const all = versions.value;
  const now = all && all.as === identity.value ? all.of[table.TableName] : undefined;
  const base = useRef<{ reading: unknown; blind: number; sent: number; version?: string }>({ reading: undefined, blind: 0, sent: 0 });
  if (base.current.reading !== reading || base.current.blind !== known.blind || base.current.version === undefined) {
    const then = all?.written(table);
    // a version from before writes that the page could not count says nothing of others
    const version = then?.blind === known.blind ? now : undefined;
    base.current = { reading, blind: known.blind, sent: then?.sent ?? 0, ...(version === undefined ? {} : { version }) };
  }
  if (now === undefined || base.current.version === undefined || now === base.current.version) return false;
  const [then, since] = [read(base.current.version), read(now)];
  return then.id !== since.id || since.writes - then.writes > known.sent - base.current.sent;
}
