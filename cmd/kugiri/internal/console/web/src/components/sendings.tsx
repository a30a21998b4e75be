// Sendings lists what was sent, which items that has changed and how, and takes it back.

import { useState } from "preact/hooks";
import { kindOf } from "../api/edits";
import { keyOf } from "../api/schema";
import { brief } from "../api/values";
import { moment, t } from "../i18n";
import { href } from "../state/route";
import { undoable, whyNot, type Change, type Sending } from "../state/sendings";
import { writable } from "../state/session";
import { tableInfos } from "../state/tables";
import { undo } from "../state/undo";
import { useAnswer } from "./answer";
import { Badge, Button, Check, Problem } from "./controls";
import { ItemDiff } from "./item_diff";
import { toast } from "./toast";

interface Props {
  list: Sending[];
  table?: string; // the only one, whose name need not be said
  disabled: boolean;
  onUndo?: (undoing: boolean) => void;
}

export function Sendings({ list, table, disabled, onUndo }: Props) {
  const { error, say, fail } = useAnswer();
  const [undoing, setUndoing] = useState(false);
  if (list.length === 0) return null;
  const tell = (on: boolean) => {
    setUndoing(on);
    onUndo?.(on);
  };
  const run = async (one: Sending) => {
    say("");
    tell(true);
    try {
      const count = await undo(one);
      if (count > 0) toast(t("changes.undone", { count }));
      else if (!table) say(t("sent.conflicts", { table: one.changes[0]!.table }));
    } catch (e) {
      fail(e);
    }
    tell(false);
  };
  return (
    <section class="history">
      {table ? <h3>{t("changes.history")}</h3> : <h2>{t("changes.history")}</h2>}
      <Problem text={error} />
      <ul>
        {list.map((one) => <Line key={one.time} sending={one} table={table} disabled={disabled || undoing || !writable.value} onUndo={() => void run(one)} />)}
      </ul>
    </section>
  );
}

const someKeys = 3;

// Line says when something was sent, and which items that has changed.
function Line({ sending: { time, way, changes }, table, disabled, onUndo }: { sending: Sending; table: string | undefined; disabled: boolean; onUndo: () => void }) {
  const [shown, setShown] = useState(someKeys);
  return (
    <li>
      <time dateTime={new Date(time).toISOString()}>{moment(time / 1000)}</time>
      <Badge>{t(`sent.${way}`)}</Badge>
      <span class="muted">{t("changes.items", { count: changes.length })}</span>
      <Button disabled={disabled} onClick={onUndo}>{t("changes.undo")}</Button>
      <ul>
        {changes.slice(0, shown).map((one, i) => <ChangeLine key={i} change={one} table={table} />)}
        {changes.length > shown && <li><Button kind="quiet" onClick={() => setShown(shown * 10)}>{t("value.more", { count: changes.length - shown })}</Button></li>}
      </ul>
    </li>
  );
}

function ChangeLine({ change: { table: name, edit }, table }: { change: Change; table: string | undefined }) {
  const item = edit.mine ?? edit.base!;
  const known = tableInfos.value.get(name)?.table;
  const key = known ? Object.values(keyOf(known.KeySchema, item)).map((value) => brief(value, 80)).join(" · ") : "";
  return (
    <li>
      <details>
        <summary><span class="muted">{t(`changes.${kindOf(edit)}`)}</span> <span class="mono">{name === table ? key : `${name} · ${key}`}</span></summary>
        <ItemDiff before={edit.base ?? {}} after={edit.mine ?? {}} />
        {name !== table && known && <a href={href(["tables", name, "items"], { item: JSON.stringify(keyOf(known.KeySchema, item)) })}>{t("menu.open")}</a>}
      </details>
    </li>
  );
}

/** Says before a sending whether it can be undone, and has a person choose it. keys is how many items it writes, undefined if nobody knows. */
export function Keeps({ keys }: { keys: number | undefined }) {
  const why = whyNot(keys);
  if (why) return <p class="hint keeps">{why}</p>;
  return <Check label={t("sent.keep")} checked={undoable.value} onChange={(on) => (undoable.value = on)} />;
}
