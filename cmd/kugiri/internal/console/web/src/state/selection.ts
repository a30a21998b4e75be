// Items that are selected, to do something to all of them.

import { useMemo, useState } from "preact/hooks";
import type { TableDescription } from "../api/dynamodb";
import { idOf } from "../api/edits";
import type { Item } from "../api/values";
import { identity } from "./identity";
import { current } from "./known";

export interface Selection {
  items: Item[]; // in the order in which they were selected
  has: (item: Item) => boolean;
  toggle: (item: Item) => void;
  add: (items: Item[]) => void;
  set: (items: Item[]) => void; // in place of what is selected
}

/**
 * The selection among the items of a table. It stays while other pages of them are read; of those that are
 * shown it has the versions that are shown.
 */
export function useSelection(table: TableDescription, shown: Item[]): Selection {
  const of = JSON.stringify([table.TableArn, identity.value]);
  const [state, setState] = useState<{ of: string; byId: Map<string, Item> }>({ of, byId: new Map() });
  const selected = state.of === of ? state.byId : none;
  const byId = useMemo(() => withVersions(table, selected, shown), [selected, shown]);
  const put = (to: Map<string, Item>) => setState({ of, byId: to });
  const withAll = (items: Item[], before: Map<string, Item>) => {
    const to = new Map(before);
    for (const item of items) to.set(idOf(table, item), item);
    return to;
  };
  return {
    items: [...byId.values()],
    has: (item) => byId.size > 0 && byId.has(idOf(table, item)),
    toggle: (item) => {
      const to = new Map(byId);
      if (!to.delete(idOf(table, item))) to.set(idOf(table, item), item);
      put(to);
    },
    add: (items) => put(withAll(items, byId)),
    set: (items) => put(withAll(items, new Map())),
  };
}

const none = new Map<string, Item>();

function withVersions(table: TableDescription, selected: Map<string, Item>, shown: Item[]): Map<string, Item> {
  if (selected.size === 0) return selected;
  const to = new Map<string, Item>();
  for (const [id, item] of selected) {
    const now = current(table, item);
    if (now) to.set(id, now);
  }
  for (const item of shown) {
    const id = idOf(table, item);
    if (to.has(id)) to.set(id, item);
  }
  return to;
}
