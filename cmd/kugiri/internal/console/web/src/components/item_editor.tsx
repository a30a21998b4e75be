// ItemEditor edits an item: attribute by attribute, or as DynamoDB's JSON.

import { useEffect, useState } from "preact/hooks";
import { explain, type TableDescription } from "../api/dynamodb";
import { draftsOf, itemOf, newDraft, type Draft } from "../api/draft";
import { faultsOf } from "../api/draft_faults";
import type { Edit } from "../api/edits";
import { parseItem } from "../api/item_json";
import { keyOf, typeOf } from "../api/schema";
import { attribute, sameKey, type Item, type TypeName } from "../api/values";
import { t } from "../i18n";
import { stage } from "../state/edits";
import { Button, Choice, Problem } from "./controls";
import { Dialog } from "./dialog";
import { DraftRows } from "./draft_rows";
import { Editor } from "./editor";

interface Props {
  table: TableDescription;
  edit: Edit; // what to begin with; without mine, a new item
  kind: "change" | "create";
  onClose: () => void;
}

type Form = "form" | "json";

export function ItemEditor({ table, edit, kind, onClose }: Props) {
  const keys = Object.fromEntries(table.KeySchema.map((k) => [k.AttributeName, typeOf(table, k.AttributeName)]));
  const [drafts, setDrafts] = useState(() => draftsOf(edit.mine ?? {}, Object.keys(keys)).concat(missingKeys(edit.mine ?? {}, keys)));
  const [form, setForm] = useState<Form>("form");
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const [shown, setShown] = useState(false); // faults are shown once somebody wants to be done
  const faults = faultsOf(drafts, keys);

  const draw = (to: Draft[]) => {
    setError("");
    setDrafts(to);
  };
  const read = (): Item => {
    if (form === "json") return parseItem(text);
    setShown(true);
    if (faults.size > 0) throw new Error(t("edit.faults", { count: faults.size }));
    return itemOf(drafts);
  };
  const attempt = (run: () => void) => {
    try {
      setError("");
      run();
    } catch (e) {
      setError(explain(e));
    }
  };
  const change = (to: Form) => attempt(() => {
    if (to === form) return;
    if (to === "json") setText(JSON.stringify(read(), null, 2));
    else setDrafts(draftsOf(read(), Object.keys(keys)));
    setForm(to);
  });
  const done = () => attempt(() => {
    const mine = read();
    checkKey(table, mine, kind === "change" ? edit.mine : undefined);
    stage(table, { ...(kind === "change" && edit.base ? { base: edit.base } : {}), mine });
    onClose();
  });
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || e.defaultPrevented) return; // the editor of JSON sees to its own
    e.preventDefault();
    done();
  };
  return (
    <Dialog title={t(kind === "change" ? "edit.change" : "edit.create")} wide onClose={onClose}>
      <div class="item-editor" onKeyDown={onKeyDown}>
        <Choice label={t("item.form")} value={form} options={[{ value: "form", text: t("item.tree") }, { value: "json", text: "JSON" }]} onChange={change} />
        {form === "json" ? (
          <Editor label="JSON" value={text} language="json" onChange={setText} onRun={done} autofocus />
        ) : (
          <Form drafts={drafts} keys={keys} lockKeys={kind === "change"} faults={shown ? faults : new Map()} setDrafts={draw} />
        )}
        {kind === "change" && <p class="hint">{t("edit.keyHint")}</p>}
        <Problem text={error} />
        <footer>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button kind="primary" shortcut="Control+Enter" onClick={done}>{t("edit.stage")}</Button>
        </footer>
      </div>
    </Dialog>
  );
}

interface FormProps {
  drafts: Draft[];
  keys: { [attribute: string]: string };
  lockKeys: boolean;
  faults: ReturnType<typeof faultsOf>;
  setDrafts: (to: Draft[]) => void;
}

function Form({ drafts, keys, lockKeys, faults, setDrafts }: FormProps) {
  useEffect(() => document.querySelector<HTMLElement>(".item-editor [data-first]")?.focus(), []);
  return (
    <div class="drafts">
      <DraftRows
        drafts={drafts}
        named
        depth={0}
        faults={faults}
        isKey={(draft) => Object.hasOwn(keys, draft.name) && drafts.indexOf(draft) < Object.keys(keys).length}
        lockKeys={lockKeys}
        onChange={() => setDrafts([...drafts])}
        onRemove={(draft) => setDrafts(drafts.filter((one) => one !== draft))}
        onAdd={() => setDrafts([...drafts, newDraft()])}
      />
    </div>
  );
}

function missingKeys(item: Item, keys: { [attribute: string]: string }): Draft[] {
  return Object.entries(keys).filter(([name]) => !attribute(item, name)).map(([name, type]) => newDraft(name, type as TypeName));
}

function checkKey(table: TableDescription, item: Item, before: Item | undefined): void {
  const names = table.KeySchema.map((k) => k.AttributeName);
  const missing = names.find((name) => !attribute(item, name));
  if (missing !== undefined) throw new Error(t("edit.noKey", { key: missing }));
  if (before && !sameKey(item, keyOf(table.KeySchema, before), names)) throw new Error(t("edit.otherKey"));
}
