// The editing part of the view of items: what the grid, the panel and the toolbar need for it.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { explain, type TableDescription } from "../api/dynamodb";
import { readItem, same, type Edit } from "../api/edits";
import type { Source } from "../api/schema";
import { attribute, open, sameKey, type AttributeValue, type Item, type TypeName } from "../api/values";
import { CellEditor, fitsCell } from "../components/cell_editor";
import { ChangesPanel } from "../components/changes_panel";
import { Button } from "../components/controls";
import type { EditorProps } from "../components/item_editor";
import { late } from "../components/late";
import { sendNow } from "../components/send_now";
import { toast } from "../components/toast";
import { t } from "../i18n";
import { editsOf, settle, stage } from "../state/edits";
import { current, learned, readingBegins } from "../state/known";
import { route, setQuery } from "../state/route";
import { useRunKey } from "../state/run_key";
import { sentTo } from "../state/sendings";
import { writable } from "../state/session";
import { stagedOf, type Staged } from "../state/staged";

const ItemEditor = late<EditorProps>("ItemEditor");

export interface Editing {
  staged: Staged;
  cell: string | undefined; // the column that the keyboard is at
  setCell: (column: string) => void;
  inCell: { item: Item; column: string; editor: ComponentChildren } | undefined; // a cell that is edited
  beginCell: (item: Item, column: string) => void;
  change: (item: Item) => void; // opens the editor
  duplicate: (item: Item) => void;
  attempt: (work: () => Promise<void>) => void; // does what writes, and says what is wrong
  remove: (item: Item, now?: boolean) => void;
  actions: (item: Item) => ComponentChildren; // of the panel of an item
  changes: ComponentChildren; // a button that opens the list of changes
  toolbar: ComponentChildren;
  create: ComponentChildren; // a button that makes an item
  panel: ComponentChildren; // the list of edits, if it is open
  dialog: ComponentChildren;
}

interface Opened {
  kind: "change" | "create" | "duplicate";
  edit: Edit;
}

/** partial: the items may lack attributes, as those of an index do. */
export function useEditing(table: TableDescription, source: Source, items: Item[], partial: boolean): Editing {
  const staged = stagedOf(table, source);
  const [opened, setOpened] = useState<Opened>();
  const [cell, setCell] = useState<string>();
  const [inCell, setInCell] = useState<{ item: Item; column: string }>();
  const keys = table.KeySchema.map((k) => k.AttributeName);

  // An edit of an item begins with all of it, as it was read.
  const begin = async (item: Item): Promise<Edit> => {
    const before = staged.of(item);
    if (before) return before;
    const began = readingBegins();
    const base = partial ? await readItem(table, item) : current(table, item);
    if (partial) learned(table, item, base, began);
    if (!base) throw new Error(t("item.gone"));
    return { base, mine: base };
  };
  const attempt = (work: () => Promise<void>) => {
    if (writable.value) work().catch((e: unknown) => toast(explain(e)));
    else toast(t("writes.off"));
  };
  const change = (item: Item) => attempt(async () => setOpened({ kind: "change", edit: await begin(item) }));
  const duplicate = (item: Item) => attempt(async () => setOpened({ kind: "duplicate", edit: { mine: partial ? (await begin(item)).mine! : item } }));
  const remove = (item: Item, now = false) => attempt(async () => {
    const edit = await begin(item);
    if (edit.base) stage(table, { base: edit.base });
    else settle(table, edit, undefined);
    if (now && edit.base) {
      setQuery({ item: undefined }, true);
      return sendNow(table, edit.base);
    }
    setQuery({ item: undefined, changes: "1" }, true);
  });
  const beginCell = (item: Item, column: string) => {
    if (keys.includes(column)) toast(t("edit.keyHint"));
    else if (!fitsCell(attribute(item, column))) change(item);
    else attempt(async () => setInCell({ item, column }));
  };
  const endCell = (value: AttributeValue, now: boolean) => attempt(async () => {
    const { item, column } = inCell!;
    setInCell(undefined);
    if (!attribute(item, column) && open(value)[1] === "") return;
    const edit = await begin(latest(item, column));
    const mine = Object.fromEntries([...Object.entries(edit.mine ?? {}), [column, value]]);
    stage(table, { ...edit, mine });
    if (now) sendNow(table, mine);
  });
  // latest returns an item as it is by now, if that has the same value in a column.
  const latest = (item: Item, column: string): Item => {
    const now = items.find((one) => sameKey(one, item, keys));
    const only = (of: Item): Item => Object.fromEntries(Object.entries(of).filter(([name]) => name === column));
    return now && same(only(now), only(item)) ? now : item;
  };
  const shown = route.value.query.has("changes");
  useRunKey(() => { // the list of changes takes it while it is open
    if (shown || staged.count === 0 || document.querySelector("dialog")) return false;
    setQuery({ changes: "1", item: undefined }, true);
    return true;
  });

  return {
    staged,
    cell,
    setCell,
    inCell: inCell && {
      ...inCell,
      editor: (
        <CellEditor
          label={t("edit.value", { name: inCell.column })}
          value={attribute(inCell.item, inCell.column)}
          type={usualType(items, inCell.column)}
          onDone={endCell}
          onCancel={() => setInCell(undefined)}
        />
      ),
    },
    beginCell,
    change,
    duplicate,
    attempt,
    remove,
    actions: (item) => (
      <>
        <Button icon="edit" kind="quiet" label={t("edit.change")} disabled={!writable.value} onClick={() => change(item)} />
        <Button icon="plus" kind="quiet" label={t("edit.duplicate")} disabled={!writable.value} onClick={() => setOpened({ kind: "duplicate", edit: { mine: item } })} />
        <Button icon="trash" kind="quiet" label={t("edit.delete")} disabled={!writable.value} onClick={() => remove(item)} />
      </>
    ),
    changes: <ChangesButton table={table} staged={staged} />,
    toolbar: (
      <>
        <Button icon="plus" disabled={!writable.value} onClick={() => setOpened({ kind: "create", edit: {} })}>{t("edit.create")}</Button>
        <ChangesButton table={table} staged={staged} always />
      </>
    ),
    create: <Button icon="plus" kind="primary" disabled={!writable.value} onClick={() => setOpened({ kind: "create", edit: {} })}>{t("edit.createFirst")}</Button>,
    panel: route.value.query.has("changes") && (
      <ChangesPanel
        table={table}
        onEdit={(edit) => setOpened({ kind: edit.base ? "change" : "create", edit })}
        onClose={() => setQuery({ changes: undefined }, true)}
      />
    ),
    dialog: opened && <ItemEditor table={table} {...opened} onClose={() => setOpened(undefined)} />,
  };
}

// ChangesButton opens the list of changes. Without always it is there if there are some.
function ChangesButton({ table, staged, always }: { table: TableDescription; staged: Staged; always?: boolean }) {
  const shown = route.value.query.has("changes");
  const some = editsOf(table).value.length + sentTo(table.TableName).length > 0;
  if (!some && !shown && !always) return null;
  return (
    <Button icon="edit" kind={staged.count > 0 && !shown ? "primary" : "quiet"} pressed={shown} onClick={() => setQuery({ changes: shown ? undefined : "1", item: undefined }, true)}>
      {staged.count > 0 ? t("changes.count", { count: staged.count }) : t("changes.title")}
    </Button>
  );
}

// usualType returns the type that a column has in the first items that have it.
function usualType(items: Item[], column: string): TypeName {
  const value = items.slice(0, 500).map((item) => attribute(item, column)).find((one) => one);
  const type = value ? open(value)[0] : "S";
  return type === "N" || type === "BOOL" ? type : "S";
}
