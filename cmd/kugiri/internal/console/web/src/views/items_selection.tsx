// What can be done to all items that are selected: deletions and edits join the list of changes, where
// they are seen before they are sent and can be undone.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call, explain, type Page, type TableDescription } from "../api/dynamodb";
import { moveItems, readItem, type Edit } from "../api/edits";
import { keyOf } from "../api/schema";
import { typedValue } from "../api/typed";
import { brief, type AttributeValue, type Item, type TypeName } from "../api/values";
import { useAnswer } from "../components/answer";
import { Button, Choice, Problem, Select, TextField } from "../components/controls";
import { Dialog } from "../components/dialog";
import { ItemDiff } from "../components/item_diff";
import { toast } from "../components/toast";
import { ValueField } from "../components/value_field";
import { t } from "../i18n";
import { maxEdits, stage, tooMany } from "../state/edits";
import type { Request } from "../state/read";
import { setQuery } from "../state/route";
import { remember, sendings } from "../state/sendings";
import type { Selection } from "../state/selection";
import { writable } from "../state/session";
import { tableNames } from "../state/tables";
import { undo } from "../state/undo";

interface Props {
  table: TableDescription;
  partial: boolean; // the items may lack attributes
  request: Request; // of what is shown
  selection: Selection;
  more: boolean; // there are items that match and are not selected
  columns: string[];
  onMoved: () => void;
  children: ComponentChildren; // the button that exports
}

/** Has all selected items deleted by the list of changes. */
export async function deleteSelected(p: Pick<Props, "table" | "partial" | "selection">): Promise<void> {
  const { length } = p.selection.items;
  if (length > maxEdits) throw tooMany(length);
  stage(p.table, ...(await whole(p)).map((base) => ({ base })));
  p.selection.set([]);
  setQuery({ item: undefined, changes: "1" }, true);
}

export function SelectionBar(p: Props) {
  const { selection } = p;
  const [asking, setAsking] = useState<"edit" | "move" | "compare">();
  const [working, setWorking] = useState(false);
  if (selection.items.length === 0) return null;
  const run = (work: () => Promise<void>) => {
    setWorking(true);
    work().catch((e: unknown) => toast(explain(e))).finally(() => setWorking(false));
  };
  const off = !writable.value || working;
  return (
    <div class="selection" role="group" aria-label={t("select.label")}>
      <strong role="status">{t("select.count", { count: selection.items.length })}</strong>
      {p.more && <Button kind="quiet" disabled={working} onClick={() => run(async () => selection.set(await matching(p.request)))}>{t("select.all")}</Button>}
      <Button icon="trash" disabled={off} onClick={() => run(() => deleteSelected(p))}>{t("select.delete")}</Button>
      <Button icon="edit" disabled={off} onClick={() => setAsking("edit")}>{t("select.edit")}</Button>
      <Button icon="swap" disabled={off} onClick={() => setAsking("move")}>{t("select.move")}</Button>
      {selection.items.length === 2 && <Button icon="columns" onClick={() => setAsking("compare")}>{t("select.compare")}</Button>}
      {p.children}
      <Button icon="close" kind="quiet" label={t("select.none")} onClick={() => selection.set([])} />
      {asking === "edit" && <EditAll {...p} onClose={() => setAsking(undefined)} />}
      {asking === "compare" && <Compare {...p} onClose={() => setAsking(undefined)} />}
      {asking === "move" && <MoveAll {...p} onClose={() => setAsking(undefined)} />}
    </div>
  );
}

// matching reads all items of a request, as many as the list of changes takes.
async function matching({ operation, input }: Request): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const page: Page = await call(operation, { ...input, ...(from ? { ExclusiveStartKey: from } : {}) });
    items.push(...page.Items);
    from = page.LastEvaluatedKey;
  } while (from && items.length < maxEdits);
  if (from || items.length > maxEdits) toast(t("select.some", { count: maxEdits }));
  return items.slice(0, maxEdits);
}

// whole returns the selected items as the table has them.
async function whole({ table, partial, selection }: Pick<Props, "table" | "partial" | "selection">): Promise<Item[]> {
  if (!partial) return selection.items;
  const all: Item[] = [];
  for (let i = 0; i < selection.items.length; i += 25) {
    const some = await Promise.all(selection.items.slice(i, i + 25).map((item) => readItem(table, item)));
    all.push(...some.filter((one) => one !== undefined));
  }
  return all;
}

// Compare shows what differs between two items.
function Compare({ table, selection, onClose }: Props & { onClose: () => void }) {
  const [first, second] = selection.items;
  if (!first || !second) return null;
  return (
    <Dialog title={t("select.compareTitle")} wide onClose={onClose}>
      <ItemDiff before={first} after={second} names={[keyLine(table, first), keyLine(table, second)]} />
      <footer class="end"><Button kind="primary" onClick={onClose}>{t("common.close")}</Button></footer>
    </Dialog>
  );
}

const keyLine = (table: TableDescription, item: Item) => Object.values(keyOf(table.KeySchema, item)).map((value) => brief(value, 80)).join(" · ");

const previewed = 3;

// EditAll sets or removes one attribute of all items.
function EditAll({ onClose, ...p }: Props & { onClose: () => void }) {
  const [name, setName] = useState("");
  const [what, setWhat] = useState<"set" | "remove">("set");
  const [type, setType] = useState<TypeName>("S");
  const [value, setValue] = useState("");
  const { error, fail, isOpen } = useAnswer();
  const keys = p.table.KeySchema.map((k) => k.AttributeName);
  const editOf = (base: Item, to: AttributeValue | undefined): Edit => {
    const { [name]: _, ...others } = base;
    return { base, mine: to ? { ...others, [name]: to } : others };
  };
  const made = (): AttributeValue | undefined => (what === "set" ? typedValue(type, value) : undefined);
  const submit = async (e: Event) => {
    e.preventDefault();
    try {
      if (p.selection.items.length > maxEdits) throw tooMany(p.selection.items.length);
      if (name === "" || keys.includes(name)) throw new Error(t(name === "" ? "select.nameAttribute" : "edit.keyHint"));
      const to = made();
      stage(p.table, ...(await whole(p)).map((base) => editOf(base, to)));
      p.selection.set([]);
      setQuery({ item: undefined, changes: "1" }, true);
      if (isOpen()) onClose();
    } catch (failure) {
      fail(failure);
    }
  };
  const preview = (() => {
    try {
      return name && !keys.includes(name) ? p.selection.items.slice(0, previewed).map((item) => editOf(item, made())) : [];
    } catch {
      return []; // the value is being written
    }
  })();
  return (
    <Dialog title={t("select.editTitle", { count: p.selection.items.length })} wide changed={name !== "" || value !== ""} onClose={onClose}>
      <form onSubmit={(e) => void submit(e)}>
        <TextField label={t("select.attribute")} value={name} onInput={setName} list={p.columns.filter((one) => !keys.includes(one))} mono autofocus />
        <Choice label={t("select.what")} value={what} options={[{ value: "set", text: t("select.set") }, { value: "remove", text: t("select.remove") }]} onChange={setWhat} />
        {what === "set" && <ValueField label={t("select.value")} type={type} value={value} onType={(to) => setType(to as TypeName)} onValue={setValue} />}
        {preview.map((edit, i) => <ItemDiff key={i} before={edit.base ?? {}} after={edit.mine ?? {}} />)}
        <Problem text={error} />
        <footer>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" kind="primary">{t("edit.stage")}</Button>
        </footer>
      </form>
    </Dialog>
  );
}

// MoveAll puts the items into another table, and deletes them here, in transactions of both.
function MoveAll({ onClose, ...p }: Props & { onClose: () => void }) {
  const others = tableNames.value.filter((one) => one !== p.table.TableName);
  const [to, setTo] = useState(others[0] ?? "");
  const [done, setDone] = useState(0);
  const { error, fail, isOpen } = useAnswer();
  const submit = async (e: Event) => {
    e.preventDefault();
    const { TableName: from } = p.table;
    let moved: Item[] = [];
    try {
      const items = await whole(p);
      await moveItems(from, to, items, (some) => {
        moved = [...moved, ...some];
        setDone(moved.length);
      });
      if (isOpen()) onClose();
    } catch (failure) {
      fail(failure);
    }
    if (moved.length === 0) return;
    p.selection.set([]);
    p.onMoved();
    remember("move", moved.flatMap((item) => [{ table: from, edit: { base: item } }, { table: to, edit: { mine: item } }]));
    const [sending] = sendings();
    toast(t("select.moved", { count: moved.length, table: to }), {
      text: t("changes.undo"),
      run: () => void undo(sending!).then((count) => {
        toast(t("changes.undone", { count }));
        p.onMoved();
      }, (e: unknown) => toast(explain(e))),
    });
  };
  return (
    <Dialog title={t("select.moveTitle", { count: p.selection.items.length })} onClose={onClose}>
      <form onSubmit={(e) => void submit(e)}>
        <Select label={t("select.target")} value={to} options={others.map((one) => ({ value: one, text: one }))} onChange={setTo} />
        <p class="muted">{t("select.moveHint")}</p>
        {done > 0 && <p role="status">{t("select.moving", { count: done })}</p>}
        <Problem text={error} />
        <footer>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" kind="primary" disabled={!to}>{t("select.move")}</Button>
        </footer>
      </form>
    </Dialog>
  );
}

