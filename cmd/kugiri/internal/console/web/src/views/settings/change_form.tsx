// ChangeForm takes the fields of a change, shows the requests that it will send, and sends them.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call, explain } from "../../api/dynamodb";
import { fieldOfError, type Source } from "../../api/error_fields";
import type { Item } from "../../api/values";
import { useAnswer } from "../../components/answer";
import { Button, Check, Problem, Select, TextField } from "../../components/controls";
import { Dialog } from "../../components/dialog";
import { Editor } from "../../components/editor";
import { toast } from "../../components/toast";
import { t } from "../../i18n";
import { sampleOf } from "../../state/paths";
import { useRunKey } from "../../state/run_key";
import { instant } from "../../state/time";
import { FieldFault, type Change, type Field, type Request, type Values } from "./change";

interface Props {
  change: Change;
  onDone: () => void;
  onClose: () => void;
}

export function ChangeForm({ change, onDone, onClose }: Props) {
  const [values, setValues] = useState<Values>(change.values);
  const { error, say, fail, isOpen } = useAnswer();
  const [sending, setSending] = useState(false);
  const [refusals, setRefusals] = useState(0); // how often the form could not be sent
  const sample = useSample(change.table);
  useEffect(() => {
    if (sample.length > 0) setValues((v) => change.follow?.(v, sample) ?? v);
  }, [sample]);
  const form = useRef<HTMLFormElement>(null);
  const { requests, fault, field } = made(change, values);
  const [refused, setRefused] = useState({ field: "", text: "" }); // by the server
  const wrong = refused.field || (refusals > 0 ? field : ""); // the field that says so
  useLayoutEffect(() => { // what is wrong can be mended at once
    if (refusals > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [refusals]);
  const send = async () => {
    if (sending) return;
    setRefused({ field: "", text: "" });
    if (fault) {
      setRefusals(refusals + 1);
      return say(field ? "" : fault);
    }
    setSending(true);
    say("");
    try {
      for (const one of requests) await call(one.operation, one.input);
      toast(t("settings.sent", { change: change.title }));
      onDone();
      if (isOpen()) onClose();
    } catch (e) {
      const at = isOpen() ? fieldOfError(explain(e), sourcesOf(change, values)) : undefined;
      if (at === undefined) fail(e);
      else {
        setRefused({ field: at, text: explain(e) });
        setRefusals(refusals + 1);
      }
      setSending(false);
    }
  };
  useRunKey(() => void send());
  const set = (name: string, to: string) => {
    say("");
    setRefused({ field: "", text: "" });
    const after = { ...values, [name]: to };
    setValues(change.follow?.(after, sample) ?? after);
  };
  const names = [...new Set(sample.flatMap((item) => Object.keys(item)))].sort();
  return (
    <Dialog title={change.title} wide changed={!sending && Object.keys(values).some((name) => values[name] !== change.values[name])} onClose={onClose}>
      <form ref={form} onSubmit={(e) => { e.preventDefault(); void send(); }}>
        {change.fields.filter((f) => f.when?.(values) ?? true).map((f) => (
          <FieldOf key={f.name} field={f} names={names} value={values[f.name] ?? ""} error={wrong === f.name ? refused.text || fault : ""} onChange={(to) => set(f.name, to)} onRun={() => void send()} />
        ))}
        {change.About && <change.About values={values} sample={sample} />}
        <section class="will-send" aria-label={t("settings.request")}>
          <h3>{t("settings.request")}</h3>
          {requests.map((one) => (
            <pre key={one.operation} class="mono" tabIndex={0} role="group" aria-label={one.operation}><strong>{one.operation}</strong>{"\n" + JSON.stringify(one.input, null, 2)}</pre>
          ))}
          {fault && !error && !wrong && <p class="hint">{fault}</p>}
        </section>
        <Problem text={error} />
        <footer>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" kind={change.destroys ? "danger" : "primary"} shortcut="Control+Enter" disabled={sending}>{t("settings.send")}</Button>
        </footer>
      </form>
    </Dialog>
  );
}

function made(change: Change, values: Values): { requests: Request[]; fault: string; field: string } {
  try {
    const requests = change.requests(values);
    if (change.replaces && Object.keys(values).every((name) => values[name] === change.values[name])) throw new Error(t("settings.same"));
    return { requests, fault: "", field: "" };
  } catch (e) {
    return { requests: [], fault: explain(e), field: e instanceof FieldFault ? e.field : "" };
  }
}

// sourcesOf has the fields that can say what is wrong with them: those that are shown, and take a text.
function sourcesOf(change: Change, values: Values): Source[] {
  const shown = change.fields.filter((f) => (f.kind === "text" || f.kind === "number") && (f.when?.(values) ?? true));
  return shown.map(({ name }) => ({ field: name, value: values[name] ?? "", requests: (value) => change.requests({ ...values, [name]: value }).map((one) => one.input) }));
}

const manyItems = 300;

function useSample(table: string | undefined): Item[] {
  const [sample, setSample] = useState<Item[]>([]);
  useEffect(() => {
    if (table !== undefined) void sampleOf(table, manyItems).then(setSample);
  }, [table]);
  return sample;
}

interface FieldProps {
  field: Field;
  value: string;
  onChange: (to: string) => void;
}

function FieldOf({ field: f, names, value, error, onChange, onRun }: FieldProps & { names: string[]; error: string; onRun: () => void }) {
  const label = t(f.label, f.of);
  switch (f.kind) {
    case "check":
      return <Check label={label} checked={value !== ""} onChange={(on) => onChange(on ? "1" : "")} />;
    case "select":
      return <Select label={label} value={value} options={f.options!.map((one) => ({ value: one, text: one || t("create.none") }))} onChange={onChange} />;
    case "json":
      return (
        <div class="field">
          <span class="label" aria-hidden>{label}</span>
          <Editor label={label} language="json" value={value} onChange={onChange} onRun={onRun} />
        </div>
      );
    case "moment":
      return <Moment field={f} value={value} onChange={onChange} />;
    default:
      return <TextField label={label} value={value} error={error} onInput={onChange} mono {...(f.attribute ? { list: names } : {})} {...(f.hint ? { hint: t(f.hint) } : {})} />;
  }
}

// Moment takes a time by a slider, to the second: the arrow keys move it by one.
function Moment({ field: f, value, onChange }: FieldProps) {
  const at = Number(value);
  return (
    <div class="field">
      <label>
        {t(f.label)}
        <input type="range" min={f.from} max={f.to} step={1} value={value} aria-valuetext={instant(new Date(at * 1000).toISOString())} onInput={(e) => onChange(e.currentTarget.value)} />
      </label>
      <p class="moment">
        <span class="muted mono">{instant(new Date(f.from! * 1000).toISOString())}</span>
        <strong class="mono">{instant(new Date(at * 1000).toISOString())}</strong>
        <span class="muted mono">{instant(new Date(f.to! * 1000).toISOString())}</span>
      </p>
    </div>
  );
}
