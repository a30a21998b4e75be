// RequestView writes a request of an operation on items by its shape, sends it, and shows the answer. What it
// writes can be undone.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call, explain, type TableDescription } from "../api/dynamodb";
import { reasonsOf } from "../api/edits";
import { MemberFault, memberOf, membersOfPart, placesOf, requestOfDraft, shapeOf, shapes, writes, type Member, type Operation, type Part, type RequestDraft, type Values } from "../api/shapes";
import { Button, Check, Choice, Empty, Problem, Select, TextField } from "../components/controls";
import { Keeps, Sendings } from "../components/sendings";
import { toast } from "../components/toast";
import { t } from "../i18n";
import { useRunKey } from "../state/run_key";
import { recorded, sendings } from "../state/sendings";
import { writable } from "../state/session";
import { kept } from "../state/settings";
import { tableInfos, tableNames, want } from "../state/tables";

const draft = kept<RequestDraft>("request", { operation: "UpdateItem", values: {}, parts: [] });

interface Refusal {
  error: string;
  at: { part?: number | undefined; member: string; text: string }[]; // what is wrong with members
}

const fine: Refusal = { error: "", at: [] };

export default function RequestView() {
  const d = withTables(draft.value);
  const [refusal, setRefusal] = useState<Refusal>(fine);
  const [answer, setAnswer] = useState("");
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus(), [refusal]);
  const tables = useTables([d.values, ...d.parts.map((one) => one.values)].flatMap((one) => one["TableName"] ?? []));
  const { input, fault } = made(d, tables);
  const { parts } = shapeOf(d.operation);
  const places = fault ? [] : placesOf(d, tables);
  const put = (to: Partial<RequestDraft>) => {
    setRefusal(fine);
    draft.value = { ...d, ...to };
  };
  const send = async () => {
    if (sending || tableNames.value.length === 0 || (writes(d.operation) && !writable.value)) return;
    if (fault) return setRefusal({ error: "", at: [{ part: fault.part, member: fault.member, text: fault.message }] });
    setSending(true);
    setAnswer("");
    setRefusal(fine);
    try {
      const out = await recorded("request", places, () => call(d.operation, { ReturnConsumedCapacity: "TOTAL", ...input }), toast);
      setAnswer(JSON.stringify(out, null, 2));
    } catch (e) {
      setRefusal(refusalOf(e, d));
    }
    setSending(false);
  };
  useRunKey(() => void send());
  const errorOf = (part: number | undefined, member: string) => refusal.at.find((one) => one.part === part && one.member === member)?.text ?? "";
  return (
    <section class="page transaction">
      <header class="pagehead">
        <h1>{t("request.title")}</h1>
        <div class="actions">
          <Button kind="primary" shortcut="Control+Enter" disabled={sending || tableNames.value.length === 0 || (writes(d.operation) && !writable.value)} onClick={() => void send()}>{t("settings.send")}</Button>
        </div>
      </header>
      <Problem text={refusal.error} />
      <div ref={form} class="scroll" tabIndex={0} role="region" aria-label={t("request.title")}>
        {tableNames.value.length === 0 && <Empty title={t("tables.none")} />}
        <Select label={t("request.operation")} value={d.operation} options={(Object.keys(shapes) as Operation[]).map((one) => ({ value: one, text: one }))} onChange={(operation) => put({ operation, parts: [] })} />
        <Members members={shapeOf(d.operation).members} values={d.values} tables={tables} errorOf={(member) => errorOf(undefined, member)} onChange={(values) => put({ values })} />
        {d.parts.map((part, at) => (
          <PartCard key={at} draft={d} part={part} at={at} tables={tables} errorOf={(member) => errorOf(at, member)} onChange={(to) => put({ parts: d.parts.with(at, to) })} onRemove={() => put({ parts: d.parts.filter((_, other) => other !== at) })} />
        ))}
        {parts && <Button icon="plus" disabled={d.parts.length === parts.most} onClick={() => put({ parts: [...d.parts, { kind: Object.keys(parts.kinds)[0]!, values: { TableName: d.parts.at(-1)?.values["TableName"] ?? tableNames.value[0] ?? "" } }] })}>{t("request.add")}</Button>}
        {writes(d.operation) && <Keeps keys={places?.length} />}
        {answer && <Shown title={t("request.answer")} name="answer" text={answer} />}
        <Shown title={t("settings.request")} name={d.operation} text={fault ? fault.message : `${d.operation}\n${JSON.stringify(input, null, 2)}`} />
        <Sendings list={sendings().filter((one) => one.way === "request")} disabled={sending} />
      </div>
    </section>
  );
}

// withTables has the first table where none is chosen.
function withTables(d: RequestDraft): RequestDraft {
  const { TableName = tableNames.value[0] ?? "" } = d.values;
  return Object.hasOwn(shapes, d.operation) ? { ...d, values: { ...d.values, TableName } } : { operation: "UpdateItem", values: { TableName }, parts: [] };
}

function useTables(wanted: string[]): Map<string, TableDescription> {
  useEffect(() => wanted.filter((name) => tableNames.value.includes(name)).forEach(want), [wanted.join("\n"), tableNames.value]);
  return new Map(wanted.flatMap((name) => (tableInfos.value.get(name) ? [[name, tableInfos.value.get(name)!.table]] : [])));
}

function made(d: RequestDraft, tables: Map<string, TableDescription>): { input: object; fault?: MemberFault } {
  try {
    return { input: requestOfDraft(d, tables) };
  } catch (e) {
    if (e instanceof MemberFault) return { input: {}, fault: e };
    throw e;
  }
}

// refusalOf shows an error of the server at the members that it names.
function refusalOf(e: unknown, d: RequestDraft): Refusal {
  const reasons = reasonsOf(e) ?? [];
  const at = reasons.flatMap(({ Code, Message }, part) => {
    if (!Code || Code === "None") return [];
    const member = Code === "ConditionalCheckFailed" ? "ConditionExpression" : memberOf(Message ?? "", membersOfPart(d, d.parts[part]!)) ?? "TableName";
    return [{ part, member, text: `${Code}: ${Message ?? ""}` }];
  });
  if (at.length > 0) return { error: explain(e), at };
  const text = explain(e);
  const conditional = text.startsWith("ConditionalCheckFailed") ? "ConditionExpression" : undefined;
  const member = conditional ?? memberOf(text, shapeOf(d.operation).members);
  if (member && !shapeOf(d.operation).parts) return { error: "", at: [{ member, text }] };
  const part = d.parts.length === 1 ? memberOf(text, membersOfPart(d, d.parts[0]!)) : undefined;
  return part ? { error: "", at: [{ part: 0, member: part, text }] } : { error: text, at: [] };
}

interface MembersProps {
  members: Member[];
  values: Values;
  tables: Map<string, TableDescription>;
  at?: number; // of a part
  errorOf: (member: string) => string;
  onChange: (values: Values) => void;
}

function Members({ members, values, tables, at, errorOf, onChange }: MembersProps) {
  const keys = tables.get(values["TableName"] ?? "")?.KeySchema.map((k) => k.AttributeName).join(", ") ?? "…"; // nothing moves when it is known
  return (
    <div class="members">
      {members.map(({ name, kind }) => {
        const label = at === undefined ? name : `${name} ${at + 1}`;
        const value = values[name] ?? "";
        const set = (to: string) => onChange({ ...values, [name]: to });
        if (kind === "flag") return <Check key={name} label={label} checked={value !== ""} onChange={(on) => set(on ? "1" : "")} />;
        if (kind === "table") return <Select key={name} label={label} value={value} options={[...new Set([...tableNames.value, value])].map((one) => ({ value: one, text: one }))} error={errorOf(name)} onChange={set} />;
        if (Array.isArray(kind)) return <Select key={name} label={label} value={value || kind[0]!} options={kind.map((one) => ({ value: one, text: one }))} error={errorOf(name)} onChange={(to) => set(to === kind[0] ? "" : to)} />;
        const hint = kind === "key" || kind === "item" ? t("transaction.keys", { keys }) : undefined;
        return <TextField key={name} label={label} placeholder={placeholders[name] ?? ""} value={value} error={errorOf(name)} onInput={set} mono {...(hint ? { hint } : {})} />;
      })}
    </div>
  );
}

const placeholders: { [member: string]: string } = {
  Item: '{"id": "a", "count": 1}', Key: '{"id": "a"}', Keys: '[{"id": "a"}, {"id": "b"}]', UpdateExpression: "SET #c = if_not_exists(#c, :zero) + :one",
  ConditionExpression: "attribute_exists(id)", ProjectionExpression: "id, #c", ExpressionAttributeNames: '{"#c": "count"}', ExpressionAttributeValues: '{":zero": 0, ":one": 1}',
};

interface PartProps extends Omit<MembersProps, "members" | "values" | "onChange"> {
  draft: RequestDraft;
  part: Part;
  at: number;
  onChange: (to: Part) => void;
  onRemove: () => void;
}

function PartCard({ draft: d, part, at, onChange, onRemove, ...rest }: PartProps) {
  const kinds = Object.keys(shapeOf(d.operation).parts?.kinds ?? {});
  return (
    <section class="card action-card" aria-label={`${part.kind} ${at + 1}`}>
      <div class="line">
        {kinds.length > 1 ? <Choice label={t("transaction.kind", { at: at + 1 })} value={part.kind} options={kinds.map((one) => ({ value: one, text: one }))} onChange={(kind) => onChange({ ...part, kind })} /> : <strong class="mono">{part.kind}</strong>}
        <Button icon="close" kind="quiet" label={t("transaction.remove", { at: at + 1 })} onClick={onRemove} />
      </div>
      <Members {...rest} members={membersOfPart(d, part)} values={part.values} at={at} onChange={(values) => onChange({ ...part, values })} />
    </section>
  );
}

function Shown({ title, name, text }: { title: string; name: string; text: string }) {
  return (
    <section class="will-send" aria-label={title}>
      <h2>{title}</h2>
      <pre class="mono" tabIndex={0} role="group" aria-label={name}>{text}</pre>
    </section>
  );
}
