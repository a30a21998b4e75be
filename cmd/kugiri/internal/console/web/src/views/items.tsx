// Items shows the items of a table or an index: all of them, or an item collection.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { entityOf, hueOf } from "../api/entities";
import { keyOf, partitionKeys, sourcesOf, type Source } from "../api/schema";
import { attribute, brief, sameKey, type Item } from "../api/values";
import { ColumnChooser, useColumns } from "../components/columns";
import { Button, Empty, Problem } from "../components/controls";
import { Grid } from "../components/grid";
import { Icon } from "../components/icon";
import { ItemPanel } from "../components/item_panel";
import { ReadBar } from "../components/read_bar";
import { t } from "../i18n";
import { editsOf } from "../state/edits";
import { forgetItems } from "../state/known";
import { requestOf } from "../state/read";
import { usePages, type Pages } from "../state/pages";
import { route, setQuery } from "../state/route";
import { useSelection } from "../state/selection";
import { maxUnits, session } from "../state/session";
import { kept } from "../state/settings";
import { stagedClass } from "../state/staged";
import { useChanged, versions } from "../state/versions";
import { ExportButton, useImport } from "../transfer/buttons";
import { useEditing } from "./items_edits";
import { deleteSelected, SelectionBar } from "./items_selection";
import type { TableViewProps } from "./props";

/** A row: an item, or the head of an item collection. */
type Row = { item: Item } | { partition: string; count: number; open: boolean };

const grouped = kept("grouped", false);
const following = kept("following", false);

export default function Items({ table, refresh }: TableViewProps) {
  const query = route.value.query;
  const sources = sourcesOf(table);
  const source = sources.find((s) => (s.index ?? "") === (query.get("index") ?? "")) ?? sources[0]!;
  const { operation, input } = requestOf(table, source, query);
  const pages = usePages(table, operation, input);
  const keys = table.KeySchema.map((k) => k.AttributeName);
  const shownKeys = [...new Set([...source.keys.map((k) => k.AttributeName), ...keys])];
  const editing = useEditing(table, source, pages);
  const items = useMemo(() => [...editing.staged.created, ...pages.items], [pages.items, editsOf(table).value, source.index]);
  const columns = useColumns(table.TableName, shownKeys, items);
  const [choosing, setChoosing] = useState(false);
  const [closed, setClosed] = useState<Set<string>>(new Set());
  const rows = useRows(items, source, grouped.value, closed);
  const { active, setActive } = useActive(rows, keys);
  const entity = (item: Item) => entityOf(table, item, session.value?.entities ?? []);

  const selection = useSelection(table, pages.items);
  const itemsOf = (some: Row[]) => some.flatMap((row) => ("item" in row ? [row.item] : []));
  const allSelected = items.length > 0 && items.every(selection.has);
  const { inCell } = editing;
  const reread = () => {
    refresh();
    forgetItems(table);
  };
  const changed = useChanged(table, pages.readings);
  useEffect(() => {
    if (changed && following.value) reread();
  }, [changed, following.value]);
  const importing = useImport({ table, onDone: refresh });
  const opened = parseKey(query.get("item"));
  const openRow = (row: Row) => {
    if ("item" in row) setQuery({ changes: undefined, item: JSON.stringify(keyOf(table.KeySchema, row.item)) }, true);
    else setClosed(toggled(closed, row.partition));
  };
  const total = operation === "Scan" && !source.index ? (table.ItemCount ?? 0) : 0; // of a part nobody knows
  return (
    <div class="view" {...importing.onDrop}>
      <ReadBar table={table} sources={sources} source={source}>
        {editing.toolbar}
        {importing.button}
        <ExportButton table={table} request={{ operation, input }} columns={columns.columns.map((c) => c.id)} />
        <Button icon="group" kind="quiet" label={t("items.group")} text={t("toolbar.group")} pressed={grouped.value} onClick={() => (grouped.value = !grouped.value)} />
        <Button icon="columns" kind="quiet" label={t("columns.title")} text={t("columns.title")} onClick={() => setChoosing(true)} />
        <Button icon="refresh" kind="quiet" label={t("common.refresh")} text={t("common.refresh")} onClick={reread} />
        {versions.value && <Button icon="clock" kind="quiet" label={t("toolbar.follow")} title={t("items.follow")} text={t("toolbar.follow")} pressed={following.value} onClick={() => (following.value = !following.value)} />}
      </ReadBar>
      <SelectionBar
        table={table}
        source={source}
        request={{ operation, input }}
        selection={selection}
        more={!pages.done || !allSelected}
        columns={columns.all.map((c) => c.name)}
        onMoved={refresh}
      >
        <ExportButton table={table} request={{ operation, input }} columns={columns.columns.map((c) => c.id)} selected={selection.items} />
      </SelectionBar>
      <Problem text={pages.error} onRetry={pages.restart} />
      <div class="split">
        {items.length === 0 && pages.done ? (
          <Empty title={t("items.none")}>
            <p>{t(operation === "Scan" ? "items.noneHint" : "items.noneThere")}</p>
            <div class="actions">{editing.create}{importing.offer}</div>
          </Empty>
        ) : (
          <Grid
            label={t("items.title")}
            rows={rows}
            total={pages.done ? rows.length : total > rows.length ? total : -1}
            columns={columns.columns.map((c) => ({ ...c, cell: (row: Row) => ("item" in row ? c.cell(editing.staged.shown(row.item)) : null) }))}
            rowKey={(row, at) => ("item" in row ? at + JSON.stringify(keyOf(table.KeySchema, row.item)) : "collection " + row.partition)}
            rowClass={(row) => rowClass(row, entity, opened, keys) + ("item" in row ? " " + stagedClass(editing.staged.of(row.item)) : "")}
            whole={(row) => ("item" in row ? undefined : <CollectionHead row={row} />)}
            active={active}
            onActive={setActive}
            onOpen={openRow}
            onEnd={pages.more}
            onResize={columns.resize}
            cell={editing.cell}
            onCell={editing.setCell}
            editing={inCell && { ...inCell, row: rows.findIndex((row) => "item" in row && sameKey(row.item, inCell.item, keys)) }}
            onEdit={(row, _, column) => "item" in row && editing.beginCell(row.item, column)}
            onDelete={(row, _, now) => (selection.items.length > 0 ? editing.attempt(() => deleteSelected({ table, source, selection })) : "item" in row && editing.remove(row.item, now))}
            selection={{
              has: (row) => "item" in row && selection.has(row.item),
              can: (row) => "item" in row,
              label: (row) => t("select.one", { key: "item" in row ? keys.map((k) => (attribute(row.item, k) ? brief(attribute(row.item, k)!, 80) : "")).join(" · ") : "" }),
              all: allSelected && pages.done,
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
            loaded={pages.items}
            entity={entity}
            edit={editing.staged.of(opened)}
            actions={editing.actions}
            onClose={() => setQuery({ item: undefined }, true)}
          />
        )}
      </div>
      <div class="status" role="status">
        <span>{countOf(pages, total)}</span>
        {pages.scanned > pages.items.length && <span>{t("items.scanned", { count: pages.scanned })}</span>}
        <span>{t("items.units", { units: String(pages.units) })}</span>
        {pages.reading && <span>{t("common.loading")}</span>}
        {changed && !following.value && <Button icon="refresh" onClick={reread}>{t("items.changed")}</Button>}
        {pages.held && !pages.reading && <Button onClick={pages.readOn}>{t("items.readOn", { units: maxUnits.value })}</Button>}
        <Legend items={pages.items} entity={entity} />
      </div>
      {choosing && <ColumnChooser columns={columns} onClose={() => setChoosing(false)} />}
      {editing.dialog}
      {importing.dialog}
    </div>
  );
}

// countOf says how many items were read, and how many there are if that is known: DynamoDB counts a table
// every six hours.
function countOf({ items: { length }, done }: Pages, total: number): string {
  if (done) return t("items.all", { count: length });
  if (length === 0) return ""; // it is being read
  return total > length ? t("items.loaded", { count: length, total }) : t("items.andMore", { count: length });
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

// Legend names the colors of the entities that the first items have.
function Legend({ items, entity }: { items: Item[]; entity: (item: Item) => string }) {
  const names = [...new Set(items.slice(0, 500).map(entity))].filter(Boolean).sort().slice(0, 12);
  return (
    <ul class="legend" aria-label={t("items.legend")}>
      {names.map((name) => (
        <li key={name} class={`hue hue-${hueOf(name)}`}>{name}</li>
      ))}
    </ul>
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
