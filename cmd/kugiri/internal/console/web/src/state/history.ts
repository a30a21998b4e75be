// What was run lately on an endpoint, kept by the browser. An entry is the address that shows it again.

import { computed, signal } from "@preact/signals";
import { session } from "./session";
import { readKept, writeKept } from "./settings";

export interface Entry {
  view: string; // whose entry it is
  at: number; // seconds since 1970
  text: string;
  address: string; // the part of the URL after #
}

const maxEntries = 100;
const maxAddress = 8_000; // characters: longer ones are not kept

const name = computed(() => "history." + (session.value?.endpoint || "own"));
const changes = signal(0);

/** The entries of a view, the latest first. */
export function historyOf(view: string): Entry[] {
  void changes.value;
  return all().filter((e) => e.view === view);
}

function all(): Entry[] {
  const kept = readKept<Entry[]>(name.value);
  return Array.isArray(kept) ? kept.filter((e) => typeof e?.address === "string" && e.address.startsWith("#/")) : [];
}

/** Keeps the present address as the latest entry of a view. */
export function remember(view: string, text: string): void {
  const address = location.hash;
  if (address.length > maxAddress) return;
  const entry = { view, at: Math.floor(Date.now() / 1000), text: text.slice(0, 300), address };
  const others = all().filter((e) => e.view !== view || e.address !== address);
  keep([entry, ...others].slice(0, maxEntries));
}

export function forget(view: string): void {
  keep(all().filter((e) => e.view !== view));
}

function keep(entries: Entry[]): void {
  writeKept(name.value, entries);
  changes.value++;
}
