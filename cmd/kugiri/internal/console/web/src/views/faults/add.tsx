// AddFault makes a fault from a form, or from its JSON.

import { useState } from "preact/hooks";
import { admin } from "../../api/admin";
import type { Fault } from "../../api/forks";
import { useAnswer } from "../../components/answer";
import { Button, Check, Choice, Problem, Select, TextField } from "../../components/controls";
import { Dialog } from "../../components/dialog";
import { Editor } from "../../components/editor";
import { t } from "../../i18n";
import { tableNames } from "../../state/tables";
import { counts, effectNames, effects, emptyForm, faultOf, isForAll, reasons, type FaultForm, type Parameter } from "./form";

interface Props {
  path: string;
  ofFork: string; // whose faults these are, "" for the server
  onAdded: () => Promise<void>;
  onClose: () => void;
}

export function AddFault({ path, ofFork, onAdded, onClose }: Props) {
  const [form, setForm] = useState<FaultForm>(emptyForm);
  const [json, setJSON] = useState<string>(); // undefined: the form
  const { error, say, fail, isOpen } = useAnswer();
  const submit = async () => {
    if (json === undefined && form.effect === "") return say(t("faults.noEffect"));
    try {
      await admin("POST", path, json === undefined ? faultOf(form) : (JSON.parse(json) as Fault));
      await onAdded();
      if (isOpen()) onClose();
    } catch (e) {
      fail(e);
    }
  };
  return (
    <Dialog title={t("faults.add")} changed={JSON.stringify(form) !== JSON.stringify(emptyForm)} onClose={onClose} wide>
      <Choice
        label={t("create.from")}
        value={json === undefined ? "form" : "json"}
        options={[{ value: "form", text: t("create.form") }, { value: "json", text: "JSON" }]}
        onChange={(to) => setJSON(to === "json" ? (form.effect === "" ? "" : JSON.stringify(faultOf(form), null, 2)) : undefined)}
      />
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void submit();
        }}
      >
        {json === undefined ? <Fields form={form} ofFork={ofFork} set={(change) => {
          say("");
          setForm({ ...form, ...change });
        }} /> : <Editor label="JSON" value={json} language="json" onChange={setJSON} onRun={() => void submit()} autofocus />}
        <Problem text={error} />
        <footer>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" kind="primary">{t("faults.inject")}</Button>
        </footer>
      </form>
    </Dialog>
  );
}

type Set = (change: Partial<FaultForm>) => void;

function Fields({ form, ofFork, set }: { form: FaultForm; ofFork: string; set: Set }) {
  return (
    <>
      <Select
        label={t("faults.effect")}
        value={form.effect}
        options={[{ value: "", text: t("faults.choose") }, ...effectNames.map((name) => ({ value: name, text: t(`effect.${name}`) }))]}
        onChange={(effect) => set({ effect, parameters: {} })}
      />
      {form.effect && <p class="muted">{t(`effect.${form.effect}.of`)}</p>}
      {form.effect && effects[form.effect].length > 0 && (
        <div class="row-form">
          {effects[form.effect].map((name) => (
            <ParameterField key={name} name={name} form={form} set={set} />
          ))}
        </div>
      )}
      <fieldset>
        <legend>{t("faults.when")}</legend>
        <div class="row-form">
          <TextField label={t("faults.operation")} value={form.operations} onInput={(operations) => set({ operations })} placeholder={t("faults.any")} list={operationNames} mono />
          <TextField label={t("faults.table")} value={form.tables} onInput={(tables) => set({ tables })} placeholder={t("faults.any")} list={tableNames.value.slice(0, 200)} mono />
        </div>
        <div class="row-form">
          <TextField label={t("faults.keyName")} value={form.keyName} onInput={(keyName) => set({ keyName })} placeholder={t("faults.any")} mono />
          <TextField label={t("faults.keyValue")} value={form.keyValue} onInput={(keyValue) => set({ keyValue })} mono />
          <Select
            label={t("faults.access")}
            value={form.access}
            options={[{ value: "", text: t("faults.any") }, { value: "read", text: t("faults.reads") }, { value: "write", text: t("faults.writes") }]}
            onChange={(access) => set({ access })}
          />
        </div>
        <div class="row-form">
          <Select
            label={t("faults.count")}
            value={form.count}
            options={counts.map((one) => ({ value: one, text: t(`faults.count.${one}`) }))}
            onChange={(one) => set({ count: one, number: one === "probability" ? "0.5" : "1" })}
          />
          {form.count !== "all" && <TextField label={t("faults.number")} value={form.number} onInput={(number) => set({ number })} mono />}
          {form.count === "probability" && <TextField label={t("faults.seed")} value={form.seed} onInput={(seed) => set({ seed })} placeholder="0" mono />}
        </div>
        {form.effect && isForAll(form) && <p class="hint">{ofFork ? t("faults.allOfFork", { fork: ofFork }) : t("faults.allOfServer")}</p>}
        <Check label={t("faults.mustHit")} checked={form.mustHit} onChange={(mustHit) => set({ mustHit })} />
      </fieldset>
    </>
  );
}

const operationNames = [
  "GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan", "BatchGetItem", "BatchWriteItem", "TransactGetItems",
  "TransactWriteItems", "ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction", "SearchVectors", "GetRecords",
  "GetShardIterator", "DescribeStream", "CreateTable", "UpdateTable", "DeleteTable", "DescribeTable",
];

const examples: { [name in Parameter]?: string } = { duration: "200ms", share: "0.5", writes: "3", time: "1s", records: "1", region: "us-west-2", delay: "5s" };

function ParameterField({ name, form, set }: { name: Parameter; form: FaultForm; set: Set }) {
  return (
    <TextField
      label={t(`faults.of.${name}`)}
      value={form.parameters[name] ?? ""}
      onInput={(value) => set({ parameters: { ...form.parameters, [name]: value } })}
      placeholder={examples[name] ?? t("faults.usual")}
      {...(name === "reason" ? { list: reasons } : {})}
      mono
    />
  );
}
