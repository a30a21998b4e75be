// Merges two versions of an item that began with the same one.

import { same } from "./edits";
import { attribute, open, type AttributeValue, type Item } from "./values";

export type Side = "theirs" | "mine";

/** A part of an item that one side has changed, or both. */
export interface Meeting {
  path: string; // as expressions write it, of names only: address.city
  base?: AttributeValue;
  theirs?: AttributeValue;
  mine?: AttributeValue;
  by: Side | "both"; // who has changed it
}

interface Merged {
  meetings: Meeting[];
  item: Item;
}

/**
 * Merges theirs and mine, both made from base. What one side has changed is taken from it. What both
 * have changed differently is taken from the side that choose names. Members of maps are merged one
 * by one; other values are taken whole.
 */
export function merge(base: Item, theirs: Item, mine: Item, choose: (path: string) => Side, within = ""): Merged {
  const out: Merged = { meetings: [], item: {} };
  const members: [string, AttributeValue][] = [];
  for (const name of [...new Set([...Object.keys(base), ...Object.keys(theirs), ...Object.keys(mine)])].sort()) {
    const versions = { base: attribute(base, name), theirs: attribute(theirs, name), mine: attribute(mine, name) };
    const path = within ? `${within}.${name}` : name;
    const [value, meetings] = mergeValue(path, versions, choose);
    if (value) members.push([name, value]);
    out.meetings.push(...meetings);
  }
  out.item = Object.fromEntries(members);
  return out;
}

interface Versions {
  base: AttributeValue | undefined;
  theirs: AttributeValue | undefined;
  mine: AttributeValue | undefined;
}

function mergeValue(path: string, { base, theirs, mine }: Versions, choose: (path: string) => Side): [AttributeValue | undefined, Meeting[]] {
  const meeting = (by: Meeting["by"]): Meeting[] => [{ path, by, ...(base ? { base } : {}), ...(theirs ? { theirs } : {}), ...(mine ? { mine } : {}) }];
  if (sameValue(theirs, mine)) return [mine, []];
  if (sameValue(base, mine)) return [theirs, meeting("theirs")];
  if (sameValue(base, theirs)) return [mine, meeting("mine")];
  const maps = [base, theirs, mine].map(membersOf);
  if (maps.every((m) => m !== undefined)) {
    const merged = merge(maps[0]!, maps[1]!, maps[2]!, choose, path);
    return [{ M: merged.item }, merged.meetings];
  }
  return [choose(path) === "mine" ? mine : theirs, meeting("both")];
}

function membersOf(value: AttributeValue | undefined): Item | undefined {
  return value && open(value)[0] === "M" ? (open(value)[1] as Item) : undefined;
}

function sameValue(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return a && b ? same({ a }, { a: b }) : a === b;
}
