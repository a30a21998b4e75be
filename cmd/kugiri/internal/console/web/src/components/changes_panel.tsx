// ChangesPanel lists the edits of a table that wait to be sent, with their differences and conflicts,
// and what was sent last.

import { useState } from "preact/hooks";
import type { TableDescription } from "../api/dynamodb";
import { checkedOf, editId, kindOf, partsOf, type Edit } from "../api/edits";
import { keyOf } from "../api/schema";
import { brief, type Item } from "../api/values";
import { count, t } from "../i18n";
import { discardAll, editsOf, isTheirs, sendEdits, settle } from "../state/edits";
import { notKept } from "../state/kept_list";
import { useRunKey } from "../state/run_key";
import { sentTo } from "../state/sendings";
import { writable } from "../state/session";
import { useAnswer } from "./answer";
import { ConflictView } from "./conflict_view";
import { Badge, Button, Problem } from "./controls";
import { Question } from "./dialog";
import { ItemDiff } from "./item_diff";
import { Panel } from "./panel";
import { Sendings } from "./sendings";
import { toast } from "./toast";

interface Props {
  table: TableDescription;
  onEdit: (edit: Edit) => void;
  onClose: () => void;
}

export function ChangesPanel({ table, onEdit, onClose }: Props) {
  const { error, say, fail } = useAnswer();
  const [sending, setSending] = useState(false);
  const [asking, setAsking] = useState(false);
  const edits = editsOf(table).value;
  const conflicts = edits.filter((edit) => edit.conflict).length;
  const ready = edits.length > 0 && !sending && conflicts === 0 && writable.value;
  const send = async () => {
    say("");
    setSending(true);
    try {
      const applied = await sendEdits(table, editsOf(table).value);
      if (applied.length > 0) toast(t("changes.applied", { count: applied.length }));
    } catch (e) {
      fail(e);
    }
    setSending(false);
  };
  useRunKey(() => ready && void send());
  return (
    <Panel wide label={t("changes.title")} onClose={onClose}>
      <header>
        <h2>{t("changes.title")}</h2>
        <Button icon="close" kind="quiet" label={t("common.close")} onClick={onClose} />
      </header>
      <div class="panel-body">
        {conflicts > 0 && <Problem text={t("changes.conflicts", { count: conflicts })} />}
        <Problem text={error} />
        {notKept.value && <p class="hint">{t("changes.notKept")}</p>}
        {edits.length === 0 && <p class="muted">{t("changes.none")}</p>}
        <ul class="edits">
          {edits.slice(0, someEdits).map((edit) => (
            <li key={editId(table, edit)}>
              <EditCard table={table} edit={edit} onEdit={() => onEdit(edit)} />
            </li>
          ))}
        </ul>
        {edits.length > someEdits && <p class="muted">{t("value.more", { count: edits.length - someEdits })}</p>}
        <Sendings list={sentTo(table.TableName)} table={table.TableName} disabled={sending} onUndo={setSending} />
      </div>
      {edits.length > 0 && (
        <footer>
          <span class="muted">{t("changes.parts", { count: partsOf(edits).length })}</span>
          <Button disabled={sending} onClick={() => setAsking(true)}>{t("changes.discardAll")}</Button>
          <Button kind="primary" shortcut="Control+Enter" disabled={!ready} onClick={() => void send()}>{t("changes.send", { count: edits.length })}</Button>
        </footer>
      )}
      {asking && <Question title={t("changes.discardTitle", { count: edits.length })} action={t("changes.discardThem")} onYes={() => discardAll(table)} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

const someEdits = 200;

function EditCard({ table, edit, onEdit }: { table: TableDescription; edit: Edit; onEdit: () => void }) {
  const kind = kindOf(edit);
  const key = keyText(table, edit.mine ?? edit.base!);
  return (
    <article class={`edit ${kind}`} aria-label={key}>
      <header>
        <Badge tone={({ new: "good", changed: "warn", deleted: "bad" } as const)[kind]}>{t(`changes.${kind}`)}</Badge>
        {isTheirs(edit) && <span title={t("changes.otherTabHint")}><Badge>{t("changes.otherTab")}</Badge></span>}
        <span class="mono strong" title={key}>{key}</span>
        {edit.mine && !edit.conflict && <Button icon="edit" kind="quiet" label={t("changes.edit", { key })} onClick={onEdit} />}
        <Button icon="close" kind="quiet" label={t("changes.discard", { key })} onClick={() => settle(table, edit, undefined)} />
      </header>
      <Problem text={edit.problem ?? ""} />
      {edit.conflict ? (
        <ConflictView edit={edit} theirs={edit.conflict.theirs} onSettle={(to) => settle(table, edit, to)} />
      ) : (
        <>
          <ItemDiff before={edit.base ?? {}} after={edit.mine ?? {}} />
          <Checked table={table} edit={edit} />
        </>
      )}
    </article>
  );
}

// Checked says it if the condition of an edit cannot compare all that was read.
function Checked({ table, edit }: { table: TableDescription; edit: Edit }) {
  const { checked, all } = checkedOf(table, edit);
  return checked < all ? <p class="hint">{t("changes.checked", { checked, all: count(all) })}</p> : null;
}

function keyText(table: TableDescription, item: Item): string {
  return Object.values(keyOf(table.KeySchema, item)).map((value) => brief(value, 80)).join(" · ");
}
