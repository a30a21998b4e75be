// CreateTable creates a table from a form, from the JSON of a CreateTable request, or from a file.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { call, explain, loadFile } from "../api/dynamodb";
import { fieldOfError, type Source } from "../api/error_fields";
import { useAnswer } from "../components/answer";
import { Button, Check, Choice, Problem, Select, TextField } from "../components/controls";
import { Dialog } from "../components/dialog";
import { Editor } from "../components/editor";
import { useNewRow } from "../components/new_row";
import { FileDrop } from "../components/file_drop";
import { toast } from "../components/toast";
import { t } from "../i18n";
import { navigate, route, setQuery } from "../state/route";
import { loadTables } from "../state/tables";

interface KeyField {
  name: string;
  type: string;
}

interface IndexForm {
  kind: "global" | "local";
  name: string;
  partition: KeyField;
  sort: KeyField;
  projection: "ALL" | "KEYS_ONLY";
}

interface Form {
  name: string;
  partition: KeyField;
  sort: KeyField;
  billing: "PAY_PER_REQUEST" | "PROVISIONED";
  read: string;
  write: string;
  stream: string; // "" for none
  ttl: string; // "" for none
  protection: boolean;
  indexes: IndexForm[];
}

const noKey = { name: "", type: "S" };

const empty: Form = {
  name: "", partition: { name: "pk", type: "S" }, sort: noKey, billing: "PAY_PER_REQUEST", read: "5", write: "5",
  stream: "", ttl: "", protection: false, indexes: [],
};

type Way = "form" | "json" | "file";

/** dropped is a file that it begins with. */
export function CreateTable({ onClose, dropped }: { onClose: () => void; dropped?: File }) {
  const [form, setForm] = useState<Form>(empty);
  const way = (route.value.query.get("create") ?? "form") as Way;
  return (
    <Dialog title={t("create.title")} changed={JSON.stringify(form) !== JSON.stringify(empty)} onClose={onClose} wide>
      <Choice
        label={t("create.from")}
        value={way}
        options={(["form", "json", "file"] as const).map((one) => ({ value: one, text: t(`create.${one}`) }))}
        onChange={(to) => setQuery({ create: to }, true)}
      />
      {way === "form" && <FromForm form={form} set={(changes) => setForm({ ...form, ...changes })} onClose={onClose} />}
      {way === "json" && <FromJSON first={JSON.stringify(requestOf(form), null, 2)} onClose={onClose} />}
      {way === "file" && <FromFile key={dropped?.name} first={dropped} onClose={onClose} />}
    </Dialog>
  );
}

/**
 * Runs what creates tables, and returns what then goes to them: whether it runs, what went wrong, and a
 * function that starts it. refused shows an error itself, and returns true, or leaves that to the form.
 */
function useRun(create: () => Promise<() => void>, refused: (error: unknown) => boolean = () => false) {
  const { error, say, fail, isOpen } = useAnswer();
  const [running, setRunning] = useState(false);
  const run = async (e?: Event) => {
    e?.preventDefault();
    if (running) return;
    setRunning(true);
    say("");
    try {
      const show = await create();
      if (isOpen()) show();
      await loadTables();
    } catch (failure) {
      if (!isOpen() || !refused(failure)) fail(failure);
      setRunning(false);
    }
  };
  return { error, running, run };
}

// made says that a table was created, and returns what goes to it.
function made(name: string): () => void {
  toast(t("create.done", { table: name }));
  return () => navigate(["tables", name]);
}

// Notes says what a file left open.
function Notes({ list, onClose }: { list: string[]; onClose: () => void }) {
  return (
    <div class="notes">
      <p>{t("create.notes")}</p>
      <ul>
        {list.map((note) => (
          <li key={note} class="mono">{note}</li>
        ))}
      </ul>
      <footer class="end">
        <Button kind="primary" onClick={onClose}>{t("common.close")}</Button>
      </footer>
    </div>
  );
}

function End({ running, onClose }: { running: boolean; onClose: () => void }) {
  return (
    <footer>
      <Button onClick={onClose}>{t("common.cancel")}</Button>
      <Button type="submit" kind="primary" disabled={running}>{t("create.run")}</Button>
    </footer>
  );
}

function FromJSON({ first, onClose }: { first: string; onClose: () => void }) {
  const [text, setText] = useState(first);
  const { error, running, run } = useRun(async () => {
    const request = JSON.parse(text) as { TableName: string };
    await call("CreateTable", request);
    return made(request.TableName);
  });
  return (
    <form onSubmit={run}>
      <p class="muted">{t("create.jsonHint")}</p>
      <Editor label={t("create.json")} language="json" value={text} onChange={setText} onRun={() => void run()} />
      <Problem text={error} />
      <End running={running} onClose={onClose} />
    </form>
  );
}

function FromFile({ first, onClose }: { first: File | undefined; onClose: () => void }) {
  const [file, setFile] = useState(first);
  const [notes, setNotes] = useState<string[]>();
  const { error, running, run } = useRun(async () => {
    const found = await loadFile(file!.name, await file!.text());
    toast(t("create.loaded"));
    return () => (found.length > 0 ? setNotes(found) : navigate(["tables"]));
  });
  if (notes) return <Notes list={notes} onClose={onClose} />;
  return (
    <form onSubmit={(e) => (file ? void run(e) : e.preventDefault())}>
      <p class="muted">{t("create.fileHint")}</p>
      <FileDrop label={t("create.file")} accept=".json,.jsonl,.yaml,.yml,.tf,.template" file={file} onFile={setFile} />
      <Problem text={error} />
      <End running={running || !file} onClose={onClose} />
    </form>
  );
}

function FromForm({ form, set, onClose }: { form: Form; set: (changes: Partial<Form>) => void; onClose: () => void }) {
  const [refused, setRefused] = useState({ field: "", text: "" }); // by the server
  useLayoutEffect(() => setRefused({ field: "", text: "" }), [form]);
  const { error, running, run } = useRun(async () => {
    await create(form);
    return made(form.name);
  }, (e) => {
    const field = fieldOfError(explain(e), sourcesOf(form));
    if (field === undefined) return false;
    setRefused({ field, text: explain(e) });
    setRefusals((before) => before + 1);
    return true;
  });
  const errorOf = (field: string) => (refused.field === field ? refused.text : "");
  const [refusals, setRefusals] = useState(0); // how often something was missing or wrong
  const ref = useRef<HTMLFormElement>(null);
  const missing = (text: string) => (refusals > 0 && text === "" ? t("create.missing") : "");
  const isMissing = form.name === "" || form.partition.name === "";
  useLayoutEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [refusals]);
  const submit = (e: Event) => {
    e.preventDefault();
    if (isMissing) setRefusals(refusals + 1);
    else void run(e);
  };
  return (
    <form ref={ref} onSubmit={submit}>
      <TextField label={t("create.name")} value={form.name} error={missing(form.name) || errorOf("name")} onInput={(name) => set({ name })} mono autofocus />
      <KeyFields label={t("create.partition")} value={form.partition} error={missing(form.partition.name) || errorOf("partition")} onChange={(partition) => set({ partition })} />
      <KeyFields label={t("create.sort")} value={form.sort} error={errorOf("sort")} onChange={(sort) => set({ sort })} hint={t("create.optional")} />
      <Indexes list={form.indexes} errorOf={errorOf} onChange={(indexes) => set({ indexes })} />
      <fieldset>
        <legend>{t("create.billing")}</legend>
        <Choice
          label={t("create.billing")}
          value={form.billing}
          options={[{ value: "PAY_PER_REQUEST", text: t("tables.onDemand") }, { value: "PROVISIONED", text: t("tables.provisioned") }]}
          onChange={(billing) => set({ billing })}
        />
        {form.billing === "PROVISIONED" && (
          <div class="row-form">
            <TextField label={t("create.read")} value={form.read} error={errorOf("read")} onInput={(read) => set({ read })} mono />
            <TextField label={t("create.write")} value={form.write} error={errorOf("write")} onInput={(write) => set({ write })} mono />
          </div>
        )}
      </fieldset>
      <div class="row-form">
        <Select
          label={t("create.stream")}
          value={form.stream}
          options={["", "NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"].map((v) => ({ value: v, text: v || t("create.none") }))}
          onChange={(stream) => set({ stream })}
        />
        <TextField label={t("create.ttl")} value={form.ttl} error={errorOf("ttl")} onInput={(ttl) => set({ ttl })} hint={t("create.optional")} mono />
      </div>
      <Check label={t("create.protection")} checked={form.protection} onChange={(protection) => set({ protection })} />
      <Problem text={error} />
      <End running={running} onClose={onClose} />
    </form>
  );
}

function KeyFields({ label, value, onChange, hint, error = "" }: { label: string; value: KeyField; onChange: (v: KeyField) => void; hint?: string; error?: string }) {
  return (
    <div class="row-form">
      <TextField label={label} value={value.name} error={error} onInput={(name) => onChange({ ...value, name })} mono {...(hint ? { hint } : {})} />
      <Select
        label={t("create.typeOf", { key: label })}
        hideLabel
        value={value.type}
        options={["S", "N", "B"].map((v) => ({ value: v, text: t(`type.${v as "S" | "N" | "B"}`) }))}
        onChange={(type) => onChange({ ...value, type })}
      />
    </div>
  );
}

function Indexes({ list, errorOf, onChange }: { list: IndexForm[]; errorOf: (field: string) => string; onChange: (list: IndexForm[]) => void }) {
  const added = useNewRow(list.length);
  const put = (at: number, changes: Partial<IndexForm>) => onChange(list.map((one, i) => (i === at ? { ...one, ...changes } : one)));
  const add = () => onChange([...list, { kind: "global", name: "", partition: { name: "", type: "S" }, sort: noKey, projection: "ALL" }]);
  return (
    <fieldset>
      <legend>{t("create.indexes")}</legend>
      {list.map((one, i) => (
        <div class="card" key={i}>
          <div class="row-form">
            <TextField label={t("create.indexName")} value={one.name} error={errorOf(`index ${i} name`)} onInput={(name) => put(i, { name })} mono />
            <Select
              label={t("create.indexKind")}
              value={one.kind}
              options={[{ value: "global", text: t("source.global") }, { value: "local", text: t("source.local") }]}
              onChange={(kind) => put(i, { kind })}
            />
            <Select
              label={t("create.projection")}
              value={one.projection}
              options={[{ value: "ALL", text: "ALL" }, { value: "KEYS_ONLY", text: "KEYS_ONLY" }]}
              onChange={(projection) => put(i, { projection })}
            />
            <Button icon="trash" kind="quiet" label={t("create.removeIndex", { index: one.name })} onClick={() => onChange(list.filter((_, at) => at !== i))} />
          </div>
          {one.kind === "global" && <KeyFields label={t("create.indexPartition")} value={one.partition} error={errorOf(`index ${i} partition`)} onChange={(partition) => put(i, { partition })} />}
          <KeyFields label={t("create.indexSort")} value={one.sort} error={errorOf(`index ${i} sort`)} onChange={(sort) => put(i, { sort })} />
        </div>
      ))}
      <Button icon="plus" onClick={(e) => { added(e); add(); }}>{t("create.addIndex")}</Button>
    </fieldset>
  );
}

async function create(form: Form): Promise<void> {
  const [table, ttl] = requestsOf(form);
  await call("CreateTable", table!);
  if (ttl) await call("UpdateTimeToLive", ttl);
}

const requestsOf = (form: Form): object[] => [requestOf(form), ...(form.ttl ? [{ TableName: form.name, TimeToLiveSpecification: { Enabled: true, AttributeName: form.ttl } }] : [])];

// sourcesOf has the fields of the form that take a text.
function sourcesOf(form: Form): Source[] {
  const of = (field: string, value: string, to: (value: string) => Partial<Form>): Source => ({ field, value, requests: (value) => requestsOf({ ...form, ...to(value) }) });
  const ofIndex = (i: number, field: string, value: string, to: (value: string) => Partial<IndexForm>) =>
    of(`index ${i} ${field}`, value, (text) => ({ indexes: form.indexes.with(i, { ...form.indexes[i]!, ...to(text) }) }));
  return [
    of("name", form.name, (name) => ({ name })),
    of("partition", form.partition.name, (name) => ({ partition: { ...form.partition, name } })),
    of("sort", form.sort.name, (name) => ({ sort: { ...form.sort, name } })),
    ...form.indexes.flatMap((one, i) => [
      ofIndex(i, "name", one.name, (name) => ({ name })),
      ...(one.kind === "global" ? [ofIndex(i, "partition", one.partition.name, (name) => ({ partition: { ...one.partition, name } }))] : []),
      ofIndex(i, "sort", one.sort.name, (name) => ({ sort: { ...one.sort, name } })),
    ]),
    ...(form.billing === "PROVISIONED" ? [of("read", form.read, (read) => ({ read })), of("write", form.write, (write) => ({ write }))] : []),
    of("ttl", form.ttl, (ttl) => ({ ttl })),
  ];
}

/** The CreateTable request of a form. DynamoDB says what is wrong with it. */
function requestOf(form: Form): object {
  const keysOf = (partition: KeyField, sort: KeyField) => [
    { AttributeName: partition.name, KeyType: "HASH" },
    ...(sort.name ? [{ AttributeName: sort.name, KeyType: "RANGE" }] : []),
  ];
  const throughput =
    form.billing === "PROVISIONED"
      ? { ProvisionedThroughput: { ReadCapacityUnits: Number(form.read), WriteCapacityUnits: Number(form.write) } }
      : {};
  const indexes = (kind: IndexForm["kind"]) =>
    form.indexes
      .filter((one) => one.kind === kind)
      .map((one) => ({
        IndexName: one.name,
        KeySchema: keysOf(kind === "local" ? form.partition : one.partition, one.sort),
        Projection: { ProjectionType: one.projection },
        ...(kind === "global" ? throughput : {}),
      }));
  const [locals, globals] = [indexes("local"), indexes("global")];
  return {
    TableName: form.name,
    AttributeDefinitions: definitions(form),
    KeySchema: keysOf(form.partition, form.sort),
    BillingMode: form.billing,
    ...throughput,
    ...(locals.length > 0 ? { LocalSecondaryIndexes: locals } : {}),
    ...(globals.length > 0 ? { GlobalSecondaryIndexes: globals } : {}),
    ...(form.stream ? { StreamSpecification: { StreamEnabled: true, StreamViewType: form.stream } } : {}),
    ...(form.protection ? { DeletionProtectionEnabled: true } : {}),
  };
}

// definitions lists each attribute of a key once.
function definitions(form: Form): object[] {
  const types = new Map<string, string>();
  const ofIndexes = form.indexes.flatMap((one) => (one.kind === "global" ? [one.partition, one.sort] : [one.sort]));
  for (const field of [form.partition, form.sort, ...ofIndexes]) if (field.name && !types.has(field.name)) types.set(field.name, field.type);
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}
