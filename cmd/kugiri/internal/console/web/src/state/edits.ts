// Edits that wait to be sent. The browser keeps them, for each endpoint, identity and table.

import { admin } from "../api/admin";
import type { TableDescription } from "../api/dynamodb";
import { editId, partsOf, readItem, Refused, same, sendPart, type Edit } from "../api/edits";
import type { Item } from "../api/values";
import { t } from "../i18n";
import { identity } from "./identity";
import { applied as noteApplied, current, learned, readingBegins } from "./known";
import { keptLists } from "./kept_list";
import { undoPrefix } from "./scope";
import { editOf, forget, remember, removeFork, type Sending, type Way } from "./sendings";
import { kugiri, session } from "./session";

/** How many edits of a table may wait. */
export const maxEdits = 1000;
const maxText = 2_000_000; // characters, of the five million that browsers keep

// The name of this tab, which it keeps over reloads.
const tab = (() => {
  const place = "kugiri.tab";
  const name = sessionStorage.getItem(place) ?? crypto.getRandomValues(new Uint32Array(2)).join("");
  sessionStorage.setItem(place, name);
  return name;
})();

/** Whether an edit was made in another tab, perhaps by somebody who is still at it. */
export const isTheirs = (edit: Edit) => edit.tab !== undefined && edit.tab !== tab;

const staged = keptLists<Edit>("edits");

/** The edits of a table that wait to be sent. */
export const editsOf = (table: TableDescription) => staged(table.TableName);

/**
 * Adds edits to those of a table, all or none of them. One of an item that has an edit takes its place,
 * and what was first read stays its base. An edit that changes nothing is dropped. It throws an error if
 * there are too many.
 */
export function stage(table: TableDescription, ...edits: Edit[]): void {
  const list = editsOf(table);
  const all = new Map(list.value.map((one) => [editId(table, one), one]));
  for (const edit of edits) {
    const id = editId(table, edit);
    const before = all.get(id);
    const base = before ? before.base : edit.base;
    if (same(base, edit.mine)) all.delete(id);
    else all.set(id, { ...(base ? { base } : {}), ...(edit.mine ? { mine: edit.mine } : {}), tab });
  }
  const staged = [...all.values()];
  if (edits.length > maxEdits) throw tooMany(edits.length);
  if (staged.length > maxEdits) throw new Error(t("changes.full", { count: list.value.length, max: maxEdits, more: staged.length - list.value.length }));
  if (JSON.stringify(staged).length > maxText) throw new Error(t("changes.long", { max: maxText }));
  list.value = staged;
}

/** Says that a list never takes as many edits. */
export const tooMany = (edits: number) => new Error(t("changes.tooMany", { count: edits, max: maxEdits }));

/**
 * What an edit that is written now goes back to. One that began with an edit which was on its way goes back
 * to what that has made, once it was applied.
 */
export function baseOf(table: TableDescription, edit: Edit): Item | undefined {
  if (!edit.mine || editsOf(table).value.some((one) => editId(table, one) === editId(table, edit))) return edit.base;
  const now = current(table, edit.mine);
  return same(now, edit.mine) ? edit.mine : edit.base;
}

/** Puts an edit in the place of that of the same item, or drops that. */
export function settle(table: TableDescription, edit: Edit, to: Edit | undefined): void {
  const list = editsOf(table);
  list.value = list.value.flatMap((one) => (one !== edit ? [one] : to && !same(to.base, to.mine) ? [to] : []));
}

export function discardAll(table: TableDescription): void {
  editsOf(table).value = [];
}

/**
 * Sends edits of a table's list, in as many transactions as they need. What was applied leaves the
 * list. If a transaction is refused, its edits say why, and no further one is sent. It returns the
 * edits that were applied.
 */
export async function sendEdits(table: TableDescription, edits: Edit[], way: Way = "changes"): Promise<Edit[]> {
  const list = editsOf(table);
  const fork = await forkBefore();
  const applied: Edit[] = [];
  try {
    let left = edits;
    while (left.length > 0 && editsOf(table) === list) { // somebody may look at other tables meanwhile
      const part = partsOf(left)[0]!;
      const refused = await tryPart(table, part);
      list.value = list.value.flatMap((one) => answered(table, one, part, refused));
      if (!refused) {
        applied.push(...part);
        noteApplied(table, part);
      }
      left = [...(refused?.values() ?? []), ...left.slice(part.length)];
      if (left.some((one) => one.conflict || one.problem)) break;
    }
  } finally {
    if (applied.length > 0) remember(way, applied.map((edit) => ({ table: table.TableName, edit })), fork);
    else if (fork) void removeFork(fork);
  }
  return applied;
}

// answered returns what becomes of an edit of the list by the answer to a transaction. Somebody may have
// edited the item again since the transaction was sent: that edit stays, and begins with what was sent.
function answered(table: TableDescription, one: Edit, part: Edit[], refused: Map<Edit, Edit> | undefined): Edit[] {
  const sent = part.find((edit) => editId(table, edit) === editId(table, one)); // the list may have been read again
  if (!sent) return [one];
  const to = refused?.get(sent);
  if (same(one.mine, sent.mine)) return to ? [to] : [];
  if (to) {
    const { mine: _, ...rest } = to;
    return [{ ...rest, ...(one.mine ? { mine: one.mine } : {}) }];
  }
  const { base: _, ...now } = one;
  return [{ ...now, ...(sent.mine ? { base: sent.mine } : {}) }];
}

// tryPart sends a transaction. It returns undefined if that was applied, and otherwise what became
// of each edit. Edits that somebody else has made in the same way are not among them.
async function tryPart(table: TableDescription, part: Edit[]): Promise<Map<Edit, Edit> | undefined> {
  const began = readingBegins();
  try {
    await sendPart(table, part);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const pairs = part.map((edit, i): [Edit, Edit] => [edit, error.edits[i]!]);
    for (const [edit, { conflict }] of pairs) if (conflict) learned(table, edit.mine ?? edit.base!, conflict.theirs, began);
    return new Map(pairs.filter(([, to]) => !to.conflict || !same(to.conflict.theirs, to.mine)));
  }
}

// forkBefore makes a fork of the tables as they are, from which edits can be undone. It makes none
// without Kugiri, or where the caller cannot see forks.
async function forkBefore(): Promise<string | undefined> {
  const s = session.value;
  if (!kugiri.value || !s || (s.endpoint && !s.choice)) return undefined;
  const from = s.choice ? identity.value.accessKey || s.accessKey : undefined;
  if (s.choice && !from) return undefined;
  const accessKey = undoPrefix + Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => b.toString(16).padStart(2, "0")).join("");
  try {
    await admin("POST", "forks", { accessKey, ...(from ? { from } : {}) });
    return accessKey;
  } catch {
    return undefined; // the edits can be undone by what they were made from
  }
}

/**
 * Takes the items of what was sent to one table back to what they were before, if nobody has changed them since.
 * Otherwise the list of edits shows the conflicts. It returns the edits that were applied.
 */
export async function undoEdits(table: TableDescription, sent: Sending): Promise<Edit[]> {
  const list = editsOf(table);
  const edits = sent.changes.map((one) => one.edit);
  const ids = new Set(edits.map((edit) => editId(table, edit)));
  if (list.value.some((edit) => ids.has(editId(table, edit)))) throw new Error(t("changes.undoStaged"));
  const before = await versionsBefore(table, edits, sent.fork);
  const back = edits.map((edit, i): Edit => ({ ...editOf(edit.mine, before[i]), tab }));
  list.value = [...list.value, ...back];
  const applied = await sendEdits(table, back, sent.way);
  forget(sent);
  return applied;
}

// versionsBefore returns the items of edits as they were before: as the fork has them, or as they were read.
async function versionsBefore(table: TableDescription, edits: Edit[], fork: string | undefined): Promise<(Item | undefined)[]> {
  if (!fork || !(await hasFork(fork))) return edits.map((edit) => edit.base);
  return Promise.all(edits.map((edit) => readItem(table, edit.mine ?? edit.base!, fork)));
}

async function hasFork(accessKey: string): Promise<boolean> {
  const { forks } = await admin<{ forks: { accessKey: string }[] }>("GET", "forks");
  return forks.some((f) => f.accessKey === accessKey);
}
