// What programs write meanwhile, as far as the server of the page tells: only that of Kugiri itself does.

import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { callerHeaders, type TableDescription } from "../api/dynamodb";
import { send } from "../api/http";
import { identity } from "./identity";
import { knownOf, readingBegins, written } from "./known";
import { inOrder } from "./order";
import { kugiri } from "./session";
import { refreshNames, tableNames, tablesLoading } from "./tables";

type Versions = { [table: string]: string };

/** A text of each table that is another one when items of it were written; undefined: nobody tells. */
export const versions = signal<{ as: unknown; of: Versions; written: ReturnType<typeof written>; at: number } | undefined>(undefined);

/** A table as it was when something of it was read. */
export interface Since {
  version: string; // of before the server read it
  sent: number; // as in Known, before the page asked
  blind: number;
  at: number; // when the page asked
}

const asked = inOrder();
let told = true; // the server tells

/** Asks for the versions. New tables then appear, and those that are gone go. */
export async function refreshVersions(): Promise<void> {
  if (!kugiri.value || !told) return;
  const as = identity.value;
  const isNew = asked();
  const [then, at] = [written(), readingBegins()]; // before the server answers
  const answer = await send("versions", { headers: callerHeaders() });
  if (answer.status === 404) told = false;
  if (!answer.ok) return;
  const of = (await answer.json()) as Versions;
  if (!isNew() || as !== identity.value) return;
  versions.value = { as, of, written: then, at };
  const names = Object.keys(of);
  if (!tablesLoading.peek() && (names.length !== tableNames.peek().length || tableNames.peek().some((one) => of[one] === undefined))) await refreshNames();
}

// A version is the identity of the table, and how many items were written.
function parsed(version: string): { id: string; writes: number } {
  const at = version.lastIndexOf(".");
  return { id: version.slice(0, at), writes: Number(version.slice(at + 1)) };
}

/**
 * Whether others have written to a table since it was read. What this page sends, and other tabs, does not
 * count: it is shown.
 */
export function useChanged(table: TableDescription, since: Since | undefined): boolean {
  const known = knownOf(table);
  const all = versions.value;
  const now = all && all.as === identity.value ? all.of[table.TableName] : undefined;
  const base = useRef<Since | undefined>(undefined);
  const read = useRef<Since | undefined>(undefined);
  if (read.current !== since) base.current = read.current = since;
  if (base.current && base.current.blind !== known.blind && all && now !== undefined) {
    const then = all.written(table);
    // a version from before writes that the page could not count says nothing of others
    if (then.blind === known.blind) base.current = { version: now, sent: then.sent, blind: then.blind, at: all.at };
  }
  // what the server told before the reading began is older than what is shown
  if (!base.current || base.current.blind !== known.blind || !all || now === undefined || all.at <= base.current.at) return false;
  const [then, later] = [parsed(base.current.version), parsed(now)];
  return then.id !== later.id || later.writes - then.writes > known.sent - base.current.sent;
}
