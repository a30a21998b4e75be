// What was sent last, by whatever part of the page, and what it changed, so that it can be undone. The browser
// keeps it, for each endpoint and identity.

import { admin } from "../api/admin";
import { explain } from "../api/dynamodb";
import { idOf, same, type Edit } from "../api/edits";
import { readItems, type Place } from "../api/read_items";
import type { Item } from "../api/values";
import { t } from "../i18n";
import { keptLists } from "./kept_list";
import { kept } from "./settings";

export type Way = "changes" | "transaction" | "import" | "partiql" | "move" | "request";

export interface Change {
  table: string;
  edit: Edit; // as the item was before, and as the sending left it
}

export interface Sending {
  time: number; // milliseconds since 1970
  way: Way;
  changes: Change[];
  fork?: string; // the access key that sees the tables as they were before, on Kugiri
}

const maxSendings = 20;
const maxText = 2_400_000; // characters, of the five million that browsers keep
const lists = keptLists<Sending>("sendings");

/** What was sent last, the latest first. */
export const sendings = () => lists().value;

/** What was sent to a table last. */
export const sentTo = (table: string) => sendings().filter((one) => one.changes.some((change) => change.table === table));

/** Keeps what a sending has changed, in place of the oldest ones. */
export function remember(way: Way, changes: Change[], fork?: string, list = lists()): void {
  const time = Math.max(Date.now(), (list.value[0]?.time ?? 0) + 1); // no other one has it
  const all: Sending[] = [{ time, way, changes, ...(fork ? { fork } : {}) }, ...list.value];
  while (all.length > 1 && (all.length > maxSendings || JSON.stringify(all).length > maxText)) end(all.pop()!);
  list.value = all;
}

/** Leaves a sending out, as it is undone. */
export function forget(one: Sending): void {
  lists().value = sendings().filter((other) => other.time !== one.time);
  end(one);
}

function end({ fork }: Sending): void {
  if (fork) void removeFork(fork);
}

export async function removeFork(accessKey: string): Promise<void> {
  try {
    await admin("DELETE", "forks/" + encodeURIComponent(accessKey));
  } catch {
    // it is gone
  }
}

/** Whether somebody wants to undo what forms, imports and statements send: that costs reads. */
export const undoable = kept("undoable", true);

/** How many items are read before and after a sending. */
export const maxRecorded = 1000;

/** Why a sending cannot be undone, "" if it can. keys is undefined if nobody knows which items it writes. */
export function whyNot(keys: number | undefined): string {
  if (keys === undefined) return t("sent.unknown");
  return keys > maxRecorded ? t("sent.many", { max: maxRecorded }) : "";
}

let recording = Promise.resolve();

/**
 * Sends something, and keeps what it changes of some items: they are read before and after, unless nobody wants
 * that. say is told if it cannot be undone after all.
 */
export async function recorded<T>(way: Way, places: Place[] | undefined, work: () => Promise<T>, say: (text: string) => void): Promise<T> {
  await recording; // what one sending changed is read before the next one
  if (!places?.length || !undoable.value || whyNot(places.length)) return work();
  const list = lists();
  const before = await readItems(places).catch((e: unknown) => {
    throw new Error(t("sent.unread", { error: explain(e) }));
  });
  try {
    return await work();
  } finally { // a part of it may have been written
    recording = readItems(places).then((after) => changesOf(places, before, after), () => undefined).then((changes) => {
      if (!changes || JSON.stringify(changes).length > maxText) say(t("sent.lost"));
      else if (changes.length > 0) remember(way, changes, undefined, list);
    });
  }
}

// changesOf returns what differs between two versions of items. Of an item that is there twice it is said once.
function changesOf(places: Place[], before: (Item | undefined)[], after: (Item | undefined)[]): Change[] {
  const all = places.map(({ table, key }, i) => ({ id: JSON.stringify(table.TableName) + idOf(table, key), table: table.TableName, edit: editOf(before[i], after[i]) }));
  const once = new Map(all.filter(({ edit }) => !same(edit.base, edit.mine)).map((one) => [one.id, one]));
  return [...once.values()].map(({ table, edit }) => ({ table, edit }));
}

export const editOf = (base: Item | undefined, mine: Item | undefined): Edit => ({ ...(base ? { base } : {}), ...(mine ? { mine } : {}) });
