// ItemEditor edits an item: attribute by attribute, or as JSON, DynamoDB's or plain.

import { useEffect, useMemo, useState } from "preact/hooks";
import { explain, type TableDescription } from "../api/dynamodb";
import { draftsOf, itemOf, newDraft, type Draft } from "../api/draft";
import { faultsOf } from "../api/draft_faults";
import { type Edit } from "../api/edits";
import { readJSON, type JSONForm, type KeyTypes, type Reading } from "../api/read_json";
import { keyOf, typeOf } from "../api/schema";
import { attribute, brief, sameKey, type Item, type TypeName } from "../api/values";
import { t } from "../i18n";
import { baseOf, stage } from "../state/edits";
import { Button, Check, Choice, Problem } from "./controls";
import { Dialog } from "./dialog";
import { DraftRows } from "./draft_rows";
import { Editor } from "./editor";
import { sendNow } from "./send_now";
import { ItemTree } from "./value";

export interface EditorProps {
  table: TableDescription;
  edit: Edit; // what to begin with; without mine, a new item
  kind: "change" | "create" | "duplicate";
  onClose: () => void;
}

type Form = "form" | "json";

export function ItemEditor({ table, edit, kind, onClose }: EditorProps) {
  const keys = Object.fromEntries(table.KeySchema.map((k) => [k.AttributeName, typeOf(table, k.AttributeName)]));
  const [drafts, setDrafts] = useState(() => draftsOf(edit.mine ?? {}, Object.keys(keys)).concat(missingKeys(edit.mine ?? {}, keys)));
  const [form, setForm] = useState<Form>("form");
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<JSONForm>(); // how to read what has two readings
  const [error, setError] = useState("");
  const [shown, setShown] = useState(false); // faults are shown once somebody wants to be done
  const [moves, setMoves] = useState(false); // the item that is duplicated goes: it gets another key
  const [first] = useState(() => textOf(drafts));
  const faults = faultsOf(drafts, keys);
  if (kind === "duplicate" && isSameKey(drafts, edit.mine!, keys)) faults.set(drafts.findLast((one) => Object.hasOwn(keys, one.name))!.id, "sameKey");
  const changed = form === "form" ? textOf(drafts) !== first : text !== JSON.stringify(edit.mine ?? {}, null, 2);

  const draw = (to: Draft[]) => {
    setError("");
    setDrafts(to);
  };
  const readText = (): Item => {
    const { item } = readJSON(text, keys, answer);
    if (!item) throw new Error(t("json.choose"));
    return item;
  };
  const read = (of: Draft[]): Item => {
    if (form === "json") return readText();
    setShown(true);
    const wrong = of === drafts ? faults.size : faultsOf(of, keys).size;
    if (wrong > 0) throw new Error(t("edit.faults", { count: wrong }));
    return itemOf(of);
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
    const item = read(drafts.filter((one) => !isUnfilled(one, keys)));
    if (to === "json") {
      setText(JSON.stringify(item, null, 2));
      setAnswer("typed");
    } else setDrafts([...missingKeys(item, keys), ...draftsOf(item, Object.keys(keys))]);
    setShown(false);
    setForm(to);
  });
  const done = (at: "once" | "later" = "later") => attempt(() => {
    const mine = read(drafts);
    checkKey(table, mine, edit.mine, kind);
    const base = kind === "change" ? baseOf(table, edit) : undefined;
    const others = kind === "duplicate" && moves ? [{ base: edit.mine! }] : [];
    stage(table, { ...(base ? { base } : {}), mine }, ...others);
    onClose();
    if (at === "once") sendNow(table, mine, ...others.map((one) => one.base));
  });
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || e.defaultPrevented) return; // the editor of JSON sees to its own
    e.preventDefault();
    done();
  };
  return (
    <Dialog title={t(`edit.${kind}`)} wide changed={changed} onClose={onClose}>
      <div class="item-editor" onKeyDown={onKeyDown}>
        <Choice label={t("item.form")} value={form} options={[{ value: "form", text: t("item.tree") }, { value: "json", text: "JSON" }]} onChange={change} />
        {form === "json" ? (
          <>
            <Editor
              label="JSON"
              value={text}
              language="json"
              onChange={(to) => {
                if (to !== text) setAnswer(undefined);
                setText(to);
              }}
              onRun={() => done()}
              autofocus
            />
            <ReadAs text={text} keys={keys} answer={answer} onAnswer={setAnswer} />
          </>
        ) : (
          <Form drafts={drafts} keys={keys} lockKeys={kind === "change"} faults={shown ? faults : new Map()} setDrafts={draw} />
        )}
        {kind === "change" && <p class="hint">{t("edit.keyHint")}</p>}
        {kind === "duplicate" && <Check label={t("edit.moves")} checked={moves} onChange={setMoves} />}
        <Problem text={error} />
        <footer>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button onClick={() => done("once")}>{t("edit.sendNow")}</Button>
          <Button kind="primary" shortcut="Control+Enter" onClick={() => done()}>{t("edit.stage")}</Button>
        </footer>
      </div>
    </Dialog>
  );
}

interface ReadAsProps {
  text: string;
  keys: KeyTypes;
  answer: JSONForm | undefined;
  onAnswer: (answer: JSONForm) => void;
}

// ReadAs shows the attributes that the JSON stands for, and asks how to read it if it has two readings.
function ReadAs({ text, keys, answer, onAnswer }: ReadAsProps) {
  const { twofold, open, item, form } = useMemo(() => readings(text, keys, answer), [text, answer]);
  return (
    <section class="read-as" aria-label={t("json.read")}>
      {twofold !== undefined && (
        <div class="line">
          <p>{t("json.twofold", { text: brief({ S: twofold }, 60) })}</p>
          <Choice
            label={t("json.how")}
            value={answer ?? ("" as JSONForm)}
            options={(["typed", "plain"] as const).map((one) => ({ value: one, text: t(`json.as.${one}`) }))}
            onChange={onAnswer}
          />
        </div>
      )}
      {item && form && !open && (
        <>
          <p class="muted">{t(`json.form.${form}`)}</p>
          <div class="read-tree" tabIndex={0} role="group" aria-label={t("json.read")}>
            <ItemTree item={item} keys={Object.keys(keys)} />
          </div>
        </>
      )}
    </section>
  );
}

// readings reads a text, and says what of it has two readings even if that was answered.
function readings(text: string, keys: KeyTypes, answer: JSONForm | undefined): Reading & { open?: boolean } {
  try {
    const unasked = readJSON(text, keys);
    return answer ? { ...readJSON(text, keys, answer), ...(unasked.twofold === undefined ? {} : { twofold: unasked.twofold }) } : { ...unasked, open: !unasked.item };
  } catch {
    return {}; // it is being written: what is wrong is said when somebody wants to be done
  }
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

// isUnfilled reports whether a draft of a key has no value yet, or one of an attribute neither name nor value.
const isUnfilled = (draft: Draft, keys: KeyTypes) => draft.text === "" && draft.members.length === 0 && (draft.name === "" || Object.hasOwn(keys, draft.name));

function missingKeys(item: Item, keys: { [attribute: string]: string }): Draft[] {
  return Object.entries(keys).filter(([name]) => !attribute(item, name)).map(([name, type]) => newDraft(name, type as TypeName));
}

// textOf is a text that differs for drafts that differ.
const textOf = (drafts: Draft[]) => JSON.stringify(drafts, (name, value: unknown) => (name === "id" ? undefined : value));

// isSameKey reports whether drafts have the key of an item.
function isSameKey(drafts: Draft[], item: Item, keys: KeyTypes): boolean {
  const own = drafts.filter((one) => Object.hasOwn(keys, one.name));
  return faultsOf(own, keys).size === 0 && sameKey(itemOf(own), item, Object.keys(keys));
}

function checkKey(table: TableDescription, item: Item, before: Item | undefined, kind: EditorProps["kind"]): void {
  const names = table.KeySchema.map((k) => k.AttributeName);
  const missing = names.find((name) => !attribute(item, name));
  if (missing !== undefined) throw new Error(t("edit.noKey", { key: missing }));
  const kept = before && sameKey(item, keyOf(table.KeySchema, before), names);
  if (kind === "change" && !kept) throw new Error(t("edit.otherKey"));
  if (kind === "duplicate" && kept) throw new Error(t("fault.sameKey"));
}
