// Transaction writes a TransactWriteItems over several tables, with conditions, sends it, and undoes it.

import { useEffect, useState } from "preact/hooks";
import { call, explain } from "../api/dynamodb";
import { reasonsOf, type Reason } from "../api/edits";
import { Button, Choice, Empty, Problem, Select, TextField } from "../components/controls";
import { Question } from "../components/dialog";
import { Keeps, Sendings } from "../components/sendings";
import { toast } from "../components/toast";
import { t } from "../i18n";
import { draftOf } from "../state/draft";
import { usePaths } from "../state/paths";
import { recorded, sendings } from "../state/sendings";
import { writable } from "../state/session";
import { tableInfos, tableNames, want } from "../state/tables";
import { ActionFault, actionKinds, actions, newAction, placesOf, transactItems, type Action } from "../state/transaction";
import { useRunKey } from "../state/run_key";
import { FilterFields } from "./query/filter_fields";

export default function Transaction() {
  const list = actions.value;
  const [refusal, setRefusal] = useState<{ error: string; reasons: Reason[] }>({ error: "", reasons: [] });
  const [told, setTold] = useState(false); // what is missing is said once somebody wants to send
  const [sending, setSending] = useState(false);
  const [asking, setAsking] = useState(false);
  const wanted = [...new Set(list.map((one) => one.table))];
  useEffect(() => wanted.filter((name) => tableNames.value.includes(name)).forEach(want), [wanted.join("\n"), tableNames.value]);
  const tables = new Map(wanted.flatMap((name) => (tableInfos.value.get(name) ? [[name, tableInfos.value.get(name)!.table]] : [])));
  const { items, fault } = made(list, tables);
  const put = (to: Action[]) => {
    setRefusal({ error: "", reasons: [] });
    actions.value = to;
  };
  const run = async () => {
    setSending(true);
    setRefusal({ error: "", reasons: [] });
    try {
      await recorded("transaction", placesOf(list, tables), () => call("TransactWriteItems", { TransactItems: items }), toast);
      toast(t("transaction.sent"));
    } catch (e) {
      setRefusal({ error: explain(e), reasons: reasonsOf(e) ?? [] });
    }
    setSending(false);
  };
  const send = () => {
    setTold(true);
    if (!fault && list.length > 0 && writable.value && !sending) void run();
  };
  useRunKey(send);
  return (
    <section class="page transaction">
      <header class="pagehead">
        <h1>{t("transaction.title")}</h1>
        <div class="actions">
          <Button disabled={list.length === 0} onClick={() => setAsking(true)}>{t("transaction.clear")}</Button>
          <Button kind="primary" shortcut="Control+Enter" disabled={list.length === 0 || sending || !writable.value} onClick={send}>{t("transaction.send", { count: list.length })}</Button>
        </div>
      </header>
      <Problem text={refusal.error} />
      <div class="scroll" tabIndex={0} role="region" aria-label={t("transaction.title")}>
        {list.length === 0 && <Empty title={t("transaction.none")}><p>{t("transaction.hint")}</p></Empty>}
        {list.map((one, at) => (
          <ActionCard
            key={at}
            at={at}
            action={one}
            error={(told && fault?.at === at ? fault.message : "") || reasonText(refusal.reasons[at])}
            onChange={(to) => put(list.with(at, { ...one, ...to }))}
            onRemove={() => put(list.filter((_, other) => other !== at))}
          />
        ))}
        <Button icon="plus" disabled={tableNames.value.length === 0 || list.length === 100} onClick={() => put([...list, newAction(list.at(-1)?.table ?? tableNames.value[0]!)])}>{t("transaction.add")}</Button>
        {items.length > 0 && <Keeps keys={items.length} />}
        {items.length > 0 && (
          <section class="will-send" aria-label={t("settings.request")}>
            <h2>{t("settings.request")}</h2>
            <pre class="mono" tabIndex={0} role="group" aria-label="TransactWriteItems">{"TransactWriteItems\n" + JSON.stringify({ TransactItems: items }, null, 2)}</pre>
          </section>
        )}
        <Sendings list={sendings().filter((one) => one.way === "transaction")} disabled={sending} />
      </div>
      {asking && <Question title={t("leave.title")} stay={t("leave.stay")} action={t("leave.go")} onYes={() => put([])} onClose={() => setAsking(false)} />}
    </section>
  );
}

function made(list: Action[], tables: Parameters<typeof transactItems>[1]): { items: object[]; fault?: ActionFault } {
  try {
    return { items: transactItems(list, tables) };
  } catch (e) {
    return { items: [], ...(e instanceof ActionFault ? { fault: e } : {}) };
  }
}

const reasonText = (reason: Reason | undefined) => (reason?.Code && reason.Code !== "None" ? `${reason.Code}: ${reason.Message ?? ""}` : "");

interface CardProps {
  at: number;
  action: Action;
  error: string;
  onChange: (to: Partial<Action>) => void;
  onRemove: () => void;
}

function ActionCard({ at, action, error, onChange, onRemove }: CardProps) {
  const table = tableInfos.value.get(action.table)?.table;
  const keys = table?.KeySchema.map((k) => k.AttributeName).join(", ") ?? "";
  const name = t("transaction.action", { at: at + 1 });
  const isPut = action.kind === "Put";
  return (
    <section class="card action-card" aria-label={name}>
      <div class="line">
        <Choice label={t("transaction.kind", { at: at + 1 })} value={action.kind} options={actionKinds.map((one) => ({ value: one, text: one }))} onChange={(kind) => onChange({ kind })} />
        <Select label={t("transaction.table", { at: at + 1 })} hideLabel value={action.table} options={[...new Set([...tableNames.value, action.table])].map((one) => ({ value: one, text: one }))} onChange={(to) => onChange({ table: to })} />
        <Button icon="close" kind="quiet" label={t("transaction.remove", { at: at + 1 })} onClick={onRemove} />
      </div>
      <TextField label={t(isPut ? "transaction.item" : "transaction.key", { at: at + 1 })} placeholder={isPut ? '{"id": "a", "count": 1}' : '{"id": "a"}'} hint={t("transaction.keys", { keys })} value={action.json} onInput={(json) => onChange({ json })} mono />
      {action.kind === "Update" && (
        <div class="row-form">
          <TextField label={t("transaction.set", { at: at + 1 })} placeholder='{"count": 2}' value={action.set} onInput={(set) => onChange({ set })} mono />
          <TextField label={t("transaction.removes", { at: at + 1 })} placeholder="a, b.c" value={action.remove} onInput={(remove) => onChange({ remove })} mono />
        </div>
      )}
      {table && <Conditions table={table} action={action} onChange={onChange} />}
      <Problem text={error} />
    </section>
  );
}

function Conditions({ table, action, onChange }: { table: Parameters<typeof usePaths>[0]; action: Action; onChange: CardProps["onChange"] }) {
  const paths = usePaths(table, []);
  const draft = { ...draftOf(new URLSearchParams()), filter: action.conditions, any: action.any };
  return <FilterFields legend={t("transaction.conditions")} draft={draft} paths={paths} faults={[]} change={(to) => onChange({ conditions: to.filter ?? action.conditions, any: to.any ?? action.any })} />;
}
