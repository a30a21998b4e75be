// The columns of items: which are shown, how wide they are. The browser keeps both for each table.

import { useState } from "preact/hooks";
import { attribute, type Item } from "../api/values";
import { t } from "../i18n";
import { readKept, writeKept } from "../state/settings";
import { Button, Check } from "./controls";
import { Dialog } from "./dialog";
import type { Column } from "./grid";
import { ValueCell } from "./value";

interface Layout {
  widths: { [attribute: string]: number };
  shown: { [attribute: string]: boolean }; // what a person has chosen; the rest is as useful
  order?: string[]; // of columns that somebody has moved, and those beside them
}

export interface Columns {
  columns: Column<Item>[];
  resize: (attribute: string, width: number) => void;
  all: { name: string; shown: boolean; count: number }[];
  show: (attribute: string, on: boolean) => void;
  move: (attribute: string, to: string) => void; // to where another column is
}

const usual = 20; // columns, unless somebody wants more
const keyWidth = 220;
const width = 160;

/** The columns for items of a table, keys first and then what most items have. */
export function useColumns(table: string, keys: string[], items: Item[], ttl = ""): Columns {
  const [layout, setLayout] = useState<Layout>(() => readKept(`columns.${table}`) ?? { widths: {}, shown: {} });
  const keep = (to: Layout) => {
    setLayout(to);
    writeKept(`columns.${table}`, to);
  };
  const counts = useCounts(items);
  const others = [...counts.keys()].filter((name) => !keys.includes(name)).sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1));
  const all = inOrder([...keys, ...others], layout.order ?? []).map((name, i) => ({ name, shown: own(layout.shown, name) ?? i < usual, count: counts.get(name) ?? 0 }));
  return {
    all,
    columns: all.filter((c) => c.shown).map(({ name }) => ({
      id: name,
      title: name,
      width: own(layout.widths, name) ?? (keys.includes(name) ? keyWidth : width),
      cell: (item) => <ValueCell value={attribute(item, name)} dated={name === ttl} />,
    })),
    resize: (name, to) => keep({ ...layout, widths: { ...layout.widths, [name]: to } }),
    move: (name, to) => {
      const names = all.map((c) => c.name);
      const at = names.indexOf(to);
      if (name === to || at < 0) return;
      const rest = names.filter((one) => one !== name);
      keep({ ...layout, order: [...rest.slice(0, at), name, ...rest.slice(at)] });
    },
    show: (name, on) => keep({ ...layout, shown: { ...layout.shown, [name]: on } }),
  };
}

// inOrder puts names into an order that has some of them. The others come behind.
function inOrder(names: string[], order: string[]): string[] {
  if (order.length === 0) return names;
  const known = order.filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))];
}

// own returns a member that is not one of all objects: attributes may have any names.
function own<T>(members: { [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

// useCounts counts how many items have each attribute. It counts only items that it has not counted.
function useCounts(items: Item[]): Map<string, number> {
  const [state] = useState({ counts: new Map<string, number>(), first: items[0], counted: 0 });
  if (items[0] !== state.first || items.length < state.counted) Object.assign(state, { counts: new Map(), first: items[0], counted: 0 });
  for (; state.counted < items.length; state.counted++) {
    for (const name of Object.keys(items[state.counted]!)) state.counts.set(name, (state.counts.get(name) ?? 0) + 1);
  }
  return state.counts;
}

/** A dialog in which columns are chosen. */
export function ColumnChooser({ columns, onClose }: { columns: Columns; onClose: () => void }) {
  return (
    <Dialog title={t("columns.title")} onClose={onClose}>
      <div class="checks">
        {columns.all.map((c) => (
          <Check key={c.name} label={<><span class="mono">{c.name}</span> <span class="muted">{c.count}</span></>} checked={c.shown} onChange={(on) => columns.show(c.name, on)} />
        ))}
      </div>
      <footer class="end">
        <Button kind="primary" onClick={onClose}>{t("common.close")}</Button>
      </footer>
    </Dialog>
  );
}
