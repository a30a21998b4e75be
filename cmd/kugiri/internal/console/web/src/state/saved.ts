// Queries that somebody has given a name, kept by the browser for each endpoint. Each is an address,
// so that a link shows others the same.

import { computed, signal } from "@preact/signals";
import { session } from "./session";
import { readKept, writeKept } from "./settings";

export interface Saved {
  view: string; // whose query it is
  name: string;
  address: string; // the part of the URL after #
}

const maxSaved = 500;

const place = computed(() => "saved." + (session.value?.endpoint || "own"));
const changes = signal(0);

/** The queries of a view, by name. */
export function savedOf(view: string): Saved[] {
  void changes.value;
  return all().filter((one) => one.view === view).sort((a, b) => a.name.localeCompare(b.name));
}

function all(): Saved[] {
  const kept = readKept<Saved[]>(place.value);
  return Array.isArray(kept) ? kept.filter((one) => typeof one?.address === "string" && one.address.startsWith("#/")) : [];
}

/** Keeps the present address under a name, in place of what has that name. */
export function saveAs(view: string, name: string): void {
  keep([{ view, name: name.slice(0, 200), address: location.hash }, ...others(view, name)].slice(0, maxSaved));
}

export const unsave = (view: string, name: string) => keep(others(view, name));

const others = (view: string, name: string) => all().filter((one) => one.view !== view || one.name !== name);

function keep(list: Saved[]): void {
  writeKept(place.value, list);
  changes.value++;
}
