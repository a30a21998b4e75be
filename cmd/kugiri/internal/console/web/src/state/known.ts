// What is known of items that views have read: later versions, of writes of this page and of others, and of
// reads of one item. A view shows an item as it is here, if it is here, so that two views show the same.

import { signal, type Signal } from "@preact/signals";
import type { TableDescription } from "../api/dynamodb";
import { editId, idOf, type Edit } from "../api/edits";
import type { Item } from "../api/values";
import { onWritten } from "../api/written";
import { identity } from "./identity";
import { session } from "./session";

interface Version {
  item?: Item; // undefined: it is gone
  at: number; // later ones are larger
}

export interface Known {
  versions: Map<string, Version>; // by the key of the item, of those that were written or read alone
  writes: number; // how often items were written
  sent: number; // how many items were, of those that the page knows
  comings: number; // how often items came: who shows a list has to read it again
  resets: number; // how often anything may have changed
  blind: number; // how often this page wrote items that it does not know
}

const nothing: Known = { versions: new Map(), writes: 0, sent: 0, comings: 0, resets: 0, blind: 0 };

let clock = 0;

/** The time of a read that begins now. */
export const readingBegins = () => ++clock;

const all = new Map<string, Signal<Known>>(); // by place

const prefixOf = () => JSON.stringify([session.value?.endpoint ?? "", identity.value.accessKey, identity.value.region]);
const placeOf = (table: string) => prefixOf() + JSON.stringify(table);

function at(place: string): Signal<Known> {
  if (!all.has(place)) all.set(place, signal(nothing));
  return all.get(place)!;
}

/** What is known of the items of a table. */
export const knownOf = (table: TableDescription): Known => at(placeOf(table.TableName)).value;

// Pages of other tabs are told of what this one writes.

type Message = { place: string; edits: [string, Item | undefined, boolean][] } | { reset: string } | { blind: string };

const tabs = new BroadcastChannel("kugiri.items");
tabs.onmessage = (e: MessageEvent<Message>) => take(e.data);

function take(m: Message): void {
  if ("reset" in m) {
    for (const [place, known] of all) if (place.startsWith(m.reset)) reset(known);
    return;
  }
  if ("blind" in m) {
    for (const [place, known] of all) if (place.startsWith(m.blind)) known.value = { ...known.peek(), blind: known.peek().blind + 1 };
    return;
  }
  const known = at(m.place); // somebody may show it before the server tells what was written
  const versions = new Map(known.value.versions);
  const now = ++clock;
  for (const [id, item] of m.edits) versions.set(id, { ...(item ? { item } : {}), at: now });
  const { writes, comings, sent } = known.value;
  known.value = { ...known.value, versions, writes: writes + 1, sent: sent + m.edits.length, comings: comings + (m.edits.some(([, , came]) => came) ? 1 : 0) };
}

function reset(known: Signal<Known>): void {
  const { writes, resets, ...rest } = known.value;
  known.value = { ...rest, versions: new Map(), writes: writes + 1, resets: resets + 1 };
}

/** What this page has written of each table, at this moment: compare it with what knownOf says later. */
export function written(): (table: TableDescription) => Pick<Known, "sent" | "blind"> {
  const then = new Map([...all].map(([place, known]) => [place, known.peek()]));
  return (table) => then.get(placeOf(table.TableName)) ?? nothing;
}

function tell(m: Message): void {
  take(m);
  tabs.postMessage(m);
}

/** Notes that edits of a table were applied. */
export function applied(table: TableDescription, edits: Edit[]): void {
  if (edits.length === 0) return;
  tell({ place: placeOf(table.TableName), edits: edits.map((edit) => [editId(table, edit), edit.mine, !edit.base && edit.mine !== undefined]) });
}

/** Notes an item that was read alone, by its key. */
export function learned(table: TableDescription, key: Item, item: Item | undefined, began: number): void {
  learn(table, [[idOf(table, key), item]], began, () => true);
}

/** Notes items that were read alone, by their keys. */
export function learnedAll(table: TableDescription, keys: Item[], items: (Item | undefined)[], began: number): void {
  learn(table, keys.map((key, i) => [idOf(table, key), items[i]]), began, () => true);
}

/** Notes items that a list has read: of those that are known, the later version stays. */
export function listed(table: TableDescription, items: Item[], began: number): void {
  const { versions } = at(placeOf(table.TableName)).peek();
  if (versions.size > 0) learn(table, items.map((item) => [idOf(table, item), item]), began, (id) => versions.has(id));
}

function learn(table: TableDescription, items: [string, Item | undefined][], began: number, wanted: (id: string) => boolean): void {
  const known = at(placeOf(table.TableName));
  const versions = new Map(known.peek().versions);
  let changed = false;
  for (const [id, item] of items) {
    if (!wanted(id) || (versions.get(id)?.at ?? 0) > began) continue;
    versions.set(id, { ...(item ? { item } : {}), at: began });
    changed = true;
  }
  if (changed) known.value = { ...known.peek(), versions };
}

/** Forgets what is known of a table: who shows items of it reads them again. */
export const forgetItems = (table: TableDescription) => tell({ reset: placeOf(table.TableName) });

/** An item as it is known, undefined if it is gone. */
export function current(table: TableDescription, item: Item): Item | undefined {
  const { versions } = knownOf(table);
  const version = versions.size > 0 ? versions.get(idOf(table, item)) : undefined;
  return version ? version.item : item;
}

/** Parts of items, such as an index has, as they are known, without those that are gone. */
export function currentParts(table: TableDescription, items: Item[]): Item[] {
  const { versions } = knownOf(table);
  if (versions.size === 0) return items;
  return items.flatMap((part) => {
    const version = versions.get(idOf(table, part));
    if (!version) return [part];
    const { item } = version;
    return item ? [Object.fromEntries(Object.keys(part).flatMap((name) => (Object.hasOwn(item, name) ? [[name, item[name]!]] : [])))] : [];
  });
}

/** Items as they are known, without those that are gone. */
export function currentOf(table: TableDescription, items: Item[]): Item[] {
  if (knownOf(table).versions.size === 0) return items;
  return items.map((item) => current(table, item)).filter((item) => item !== undefined);
}

// Writes whose items the page does not know, as those of PartiQL, imports and restored snapshots. Many come
// together: lists are read again when they pause.

const pause = 300; // milliseconds
const waiting = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

onWritten((tables) => {
  for (const one of tables ?? []) at(placeOf(one));
  for (const one of tables?.map(placeOf) ?? [tables === undefined ? prefixOf().slice(0, prefixOf().indexOf(",")) : ""]) {
    tell({ blind: one });
    waiting.add(one);
  }
  clearTimeout(timer);
  timer = setTimeout(() => {
    for (const one of waiting) tell({ reset: one });
    waiting.clear();
  }, pause);
});
