// The list of items that was read, however it was read, with what can be done to them: one of them is shown
// and edited beside the others, several are selected. It is sorted by a column of what is there.

import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { sorted, type Sorting } from "../api/compare";
import type { TableDescription } from "../api/dynamodb";
import { entityOf, hueOf } from "../api/entities";
import { keyOf, partitionKeys, type Source } from "../api/schema";
import { attribute, brief, open, sameKey, type AttributeValue, type Item } from "../api/values";
import { useColumns, type Columns } from "../components/columns";
import { Grid } from "../components/grid";
import { Icon } from "../components/icon";
import { ItemPanel } from "../components/item_panel";
import { Menu, type MenuItem } from "../components/menu";
import { copy } from "../components/toast";
import { t } from "../i18n";
import { editsOf } from "../state/edits";
import type { Request } from "../state/read";
import { route, setQuery } from "../state/route";
import { useSelection } from "../state/selection";
import { session, writable } from "../state/session";
import { stagedClass } from "../state/staged";
import { tableInfos } from "../state/tables";
import { ExportButton } from "../transfer/buttons";
import { useEditing, type Editing } from "./items_edits";
import { deleteSelected, SelectionBar } from "./items_selection";

/** A row: an item, or the head of an item collection. */
type Row = { item: Item } | { partition: string; count: number; open: boolean };

interface Props {
  table: TableDescription;
  source: Source;
  label: string;
  items: Item[]; // that were read
  partial: boolean; // they may lack attributes, as those of an index or of a projection do
  done: boolean; // there are no more
  total?: number; // how many there are, if that is known
  inGroups?: boolean; // by item collection
  request?: Request; // a Query or a Scan that reads them all, if one does
  onEnd?: () => void; // more are wanted
  onMoved: () => void;
  found?: boolean; // only what was found is shown: no items that are not there yet
  onlyHaving?: boolean; // columns that none of the items has are left out
  empty: (editing: Editing) => ComponentChildren; // shown in place of items
}

export interface ItemsList {
  editing: Editing;
  columns: Columns;
  entity: (item: Item) => string;
  count: number;
  sortedBy: string; // the column, "" for the order in which items were read
  bar: ComponentChildren; // of the selection
  list: ComponentChildren; // with what is open beside it
  dialogs: ComponentChildren;
}

export function useItemsList(p: Props): ItemsList {
  const { table, source, done } = p;
  const keys = table.KeySchema.map((k) => k.AttributeName);
  const shownKeys = [...new Set([...source.keys.map((k) => k.AttributeName), ...keys])];
  const editing = useEditing(table, source, p.items, p.partial);
  const [sorting, setSorting] = useState<Sorting>();
  const found = useMemo(() => (p.found ? p.items : [...editing.staged.created, ...p.items]), [p.items, editsOf(table).value, source.index]);
  const items = useMemo(() => (sorting ? sorted(found, sorting) : found), [found, sorting]);
  const columns = useColumns(table.TableName, shownKeys, items, tableInfos.value.get(table.TableName)?.ttl);
  const has = (id: string) => columns.all.some((c) => c.name === id && c.count > 0);
  const shown = p.onlyHaving && items.length > 0 ? columns.columns.filter((c) => has(c.id)) : columns.columns;
  const [closed, setClosed] = useState<Set<string>>(new Set());
  const rows = useRows(items, source, (p.inGroups ?? false) && !sorting, closed);
  const { active, setActive } = useActive(rows, keys);
  const entity = (item: Item) => entityOf(table, item, session.value?.entities ?? []);
  const selection = useSelection(table, p.items);
  const itemsOf = (some: Row[]) => some.flatMap((row) => ("item" in row ? [row.item] : []));
  const allSelected = items.length > 0 && items.every(selection.has);
  const { inCell } = editing;
  const opened = parseKey(route.value.query.get("item"));
  const openRow = (row: Row) => {
    if (!("item" in row)) setClosed(toggled(closed, row.partition));
    else if (keys.every((k) => attribute(row.item, k))) setQuery({ changes: undefined, item: JSON.stringify(keyOf(table.KeySchema, row.item)) }, true);
  };
  const sort = (column: string) => setSorting(nextSorting(sorting, column));
  const [menu, setMenu] = useState<{ item: Item; column: string; at: { x: number; y: number } }>();
  const request = p.request ?? { operation: "Scan" as const, input: { TableName: table.TableName } };
  const exported = (selected?: Item[]) => <ExportButton table={table} request={request} columns={shown.map((c) => c.id)} {...(selected ? { selected } : {})} />;
  return {
    editing,
    columns,
    entity,
    count: items.length,
    sortedBy: sorting?.column ?? "",
    bar: (
      <SelectionBar table={table} partial={p.partial} request={request} selection={selection} more={p.request !== undefined && (!done || !allSelected)} columns={columns.all.map((c) => c.name)} onMoved={p.onMoved}>
        {exported(selection.items)}
      </SelectionBar>
    ),
    list: (
      <div class="split">
        {items.length === 0 && done ? p.empty(editing) : (
          <Grid
            label={p.label}
            rows={rows}
            total={done ? rows.length : (p.total ?? 0) > rows.length ? p.total! : -1}
            columns={shown.map((c) => ({ ...c, cell: (row: Row) => ("item" in row ? c.cell(editing.staged.shown(row.item)) : null) }))}
            rowKey={(row, at) => ("item" in row ? at + JSON.stringify(keyOf(table.KeySchema, row.item)) : "collection " + row.partition)}
            rowClass={(row) => rowClass(row, entity, opened, keys) + ("item" in row ? " " + stagedClass(editing.staged.of(row.item)) : "")}
            whole={(row) => ("item" in row ? undefined : <CollectionHead row={row} />)}
            active={active}
            onActive={setActive}
            onOpen={openRow}
            {...(p.onEnd ? { onEnd: p.onEnd } : {})}
            onResize={columns.resize}
            {...(editing.cell === undefined ? {} : { cell: editing.cell })}
            onCell={editing.setCell}
            {...(inCell ? { editing: { ...inCell, row: rows.findIndex((row) => "item" in row && sameKey(row.item, inCell.item, keys)) } } : {})}
            onEdit={(row, _, column) => "item" in row && editing.beginCell(row.item, column)}
            onDelete={(row, _, now) => (selection.items.length > 0 ? editing.attempt(() => deleteSelected({ table, partial: p.partial, selection })) : "item" in row && editing.remove(row.item, now))}
            sorting={sorting}
            onSort={sort}
            onMove={columns.move}
            onCopy={(row, column) => "item" in row && copyCell(editing.staged.shown(row.item), column)}
            onMenu={(row, column, at) => "item" in row && setMenu({ item: row.item, column, at })}
            selection={{
              has: (row) => "item" in row && selection.has(row.item),
              can: (row) => "item" in row,
              label: (row) => t("select.one", { key: "item" in row ? keys.map((k) => (attribute(row.item, k) ? brief(attribute(row.item, k)!, 80) : "")).join(" · ") : "" }),
              all: allSelected && done,
              some: selection.items.length > 0,
              toggle: (row) => "item" in row && selection.toggle(row.item),
              add: (some) => selection.add(itemsOf(some)),
              toggleAll: () => selection.set(allSelected ? [] : items),
            }}
          />
        )}
        {editing.panel}
        {opened && !editing.panel && (
          <ItemPanel
            table={table}
            itemKey={opened}
            loaded={p.partial ? [] : p.items}
            entity={entity}
            edit={editing.staged.of(opened)}
            actions={editing.actions}
            onClose={() => setQuery({ item: undefined }, true)}
          />
        )}
      </div>
    ),
    dialogs: (
      <>
        {editing.dialog}
        {menu && (
          <Menu
            label={t("menu.label")}
            at={menu.at}
            items={menuOf(menu.item, menu.column, shown.map((c) => c.id), columns, editing, { open: () => openRow({ item: menu.item }), select: () => selection.toggle(menu.item), sort })}
            onClose={() => setMenu(undefined)}
          />
        )}
      </>
    ),
  };
}

interface Acts {
  open: () => void;
  select: () => void;
  sort: (column: string) => void;
}

// menuOf returns the menu of an item, with the actions on its cell and on the column.
function menuOf(item: Item, column: string, shown: string[], columns: Columns, editing: Editing, act: Acts): MenuItem[] {
  const at = shown.indexOf(column);
  const off = !writable.value;
  return [
    { text: t("menu.open"), run: act.open },
    { text: t("menu.copyCell"), run: () => copyCell(editing.staged.shown(item), column) },
    { text: t("item.copy"), run: () => void copy(JSON.stringify(item, null, 2), t("common.copied")) },
    { text: t("menu.edit"), disabled: off, run: () => editing.beginCell(item, column) },
    { text: t("edit.change"), disabled: off, run: () => editing.change(item) },
    { text: t("edit.duplicate"), disabled: off, run: () => editing.duplicate(item) },
    { text: t("edit.delete"), disabled: off, run: () => editing.remove(item) },
    { text: t("menu.select"), run: act.select },
    { text: t("columns.sort", { column }), run: () => act.sort(column) },
    { text: t("columns.left"), disabled: at < 1, run: () => columns.move(column, shown[at - 1]!) },
    { text: t("columns.right"), disabled: at === shown.length - 1, run: () => columns.move(column, shown[at + 1]!) },
    { text: t("columns.hide", { column }), run: () => columns.show(column, false) },
  ];
}

// nextSorting sorts by a column, then the other way, then not.
function nextSorting(now: Sorting | undefined, column: string): Sorting | undefined {
  if (now?.column !== column) return { column, descending: false };
  return now.descending ? undefined : { column, descending: true };
}

function copyCell(item: Item, column: string): void {
  const value = attribute(item, column);
  if (value) void copy(cellText(value), t("common.copied"));
}

// cellText returns the text that a copy of a cell has: a text or a number as it is, anything else
// as DynamoDB's JSON.
function cellText(value: AttributeValue): string {
  const [type, content] = open(value);
  return type === "S" || type === "N" || type === "B" || type === "BOOL" ? String(content) : JSON.stringify(value);
}

function rowClass(row: Row, entity: (item: Item) => string, opened: Item | undefined, keys: string[]): string {
  if (!("item" in row)) return "collection";
  const name = entity(row.item);
  return (name ? `hue hue-${hueOf(name)}` : "") + (opened && sameKey(row.item, opened, keys) ? " opened" : "");
}

function CollectionHead({ row }: { row: { partition: string; count: number; open: boolean } }) {
  return (
    <div role="gridcell" class="collection-head" aria-expanded={row.open}>
      <Icon name={row.open ? "down" : "right"} />
      <span class="mono strong">{row.partition}</span>
      <span class="muted">{t("items.collection", { count: row.count })}</span>
    </div>
  );
}

// useRows returns the items, in groups with a head each if that is wanted. Query and Scan return the
// items of a partition one after the other.
function useRows(items: Item[], source: Source, inGroups: boolean, closed: Set<string>): Row[] {
  return useMemo(() => {
    if (!inGroups) return items.map((item) => ({ item }));
    const names = partitionKeys(source.keys);
    const rows: Row[] = [];
    let head: { partition: string; count: number; open: boolean } | undefined;
    for (const item of items) {
      const partition = names.map((n) => (attribute(item, n) ? brief(attribute(item, n)!) : "")).join(" · ");
      if (head?.partition !== partition) {
        head = { partition, count: 0, open: !closed.has(partition) };
        rows.push(head);
      }
      head.count++;
      if (head.open) rows.push({ item });
    }
    return rows;
  }, [items, source.index, inGroups, closed]);
}

// useActive returns the row that the keyboard is at. It follows its item when rows come before that, so
// that a key never edits or deletes another one.
function useActive(rows: Row[], keys: string[]): { active: number; setActive: (at: number) => void } {
  const [at, setAt] = useState(0);
  const item = useRef<Item | undefined>(undefined);
  const is = (row: Row | undefined) => row !== undefined && "item" in row && item.current !== undefined && sameKey(row.item, item.current, keys);
  const itemOf = (row: Row | undefined) => (row && "item" in row ? row.item : undefined);
  const moved = item.current && !is(rows[at]) ? rows.findIndex(is) : at;
  const active = moved < 0 ? at : moved;
  item.current = itemOf(rows[active]);
  if (active !== at) setAt(active);
  return {
    active,
    setActive: (to) => {
      item.current = itemOf(rows[to]);
      setAt(to);
    },
  };
}

function toggled(set: Set<string>, one: string): Set<string> {
  const to = new Set(set);
  if (!to.delete(one)) to.add(one);
  return to;
}

function parseKey(text: string | null): Item | undefined {
  if (!text) return undefined;
  try {
    return JSON.parse(text) as Item;
  } catch {
    return undefined;
  }
}
