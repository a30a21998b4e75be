// Models is the form of the models: a card each, with its key, its numbers, and a table of its attributes.

import type { DesignChange, Fields } from "../../api/design";
import { Button } from "../../components/controls";
import { useNewRow } from "../../components/new_row";
import { t } from "../../i18n";
import { Field, InText, Pick, Tick } from "./fields";
import { attributeName, attributesOf, fieldsOf, listOf, namesOf, namesText, newName, numberOf, others, renameAttribute, renameModel, textOf } from "./values";

interface Props {
  values: Fields;
  hue: (model: string) => string;
  change: (...changes: DesignChange[]) => Promise<boolean>; // false: it was not done
}

const types = ["string", "number", "binary", "boolean", "list", "map", "vector"];
const details = ["type", "format", "of", "values", "bytes", "mutable"] as const; // of an attribute
const formats = ["", "uuid", "ulid", "timestamp"];

export function Models({ values, hue, change }: Props) {
  const models = listOf(values["models"]).map(fieldsOf);
  const added = useNewRow(models.length);
  const names = models.map((m) => textOf(m["name"]));
  const add = () => {
    const model = { name: newName("Model", names), key: ["id"], items: 1000, attributes: [{ name: "id", format: "ulid" }] };
    void change(models.length > 0 ? { path: `models[${models.length}]`, value: model } : { path: "models", value: [model] });
  };
  return (
    <div class="scroll forms" tabIndex={0} role="region" aria-label={t("design.models")}>
      <div class="form-fields">
        <Field label={t("design.table")} of={t("design.theDesign")} value={textOf(values["table"])} onCommit={(v) => change({ path: "table", value: v })} mono />
        <Field label={t("design.indexes")} of={t("design.theDesign")} value={textOf(values["indexes"])} onCommit={(v) => change({ path: "indexes", value: numberOf(v) })} />
      </div>
      {models.map((m, i) => <Model key={i} design={values} model={m} at={i} hue={hue(names[i]!)} change={change} />)}
      <Button icon="plus" onClick={(e) => { added(e); add(); }}>{t("design.addModel")}</Button>
      <InText names={others(values, ["table", "indexes", "models", "patterns"])} />
    </div>
  );
}

interface ModelProps {
  design: Fields;
  model: Fields;
  at: number;
  hue: string;
  change: (...changes: DesignChange[]) => Promise<boolean>; // false: it was not done
}

function Model({ design, model, at, hue, change }: ModelProps) {
  const [of, path] = [textOf(model["name"]), `models[${at}]`];
  const attributes = attributesOf(model);
  const names = attributes.map(attributeName);
  const added = useNewRow(attributes.length);
  const number = (name: string, label: string) => <Field label={label} of={of} value={textOf(model[name])} onCommit={(v) => change({ path: `${path}.${name}`, value: numberOf(v) })} />;
  const add = () => {
    const name = newName("attribute", names);
    void change(attributes.length > 0 ? { path: `${path}.attributes[${attributes.length}]`, value: name } : { path: `${path}.attributes`, value: [name] });
  };
  return (
    <section class={`card form ${hue}`} aria-label={t("design.modelOf", { name: of })}>
      <div class="form-head">
        <Field label={t("design.name")} of={of} value={of} onCommit={(v) => change(...renameModel(design, at, v))} />
        <Field label={t("design.key")} of={of} value={namesText(model["key"])} onCommit={(v) => change({ path: path + ".key", value: namesOf(v) ?? [] })} list={names} mono />
        <Button icon="trash" kind="quiet" label={t("design.remove", { name: of })} onClick={() => void change({ path, value: null })} />
      </div>
      <div class="form-fields">
        {number("items", t("design.items"))}
        {number("puts", t("design.puts"))}
        {!Array.isArray(model["updates"]) && number("updates", t("design.updates"))}
        <Pick label={t("design.ttl")} of={of} value={textOf(model["ttl"])} options={["", ...names]} onCommit={(v) => change({ path: path + ".ttl", value: v || null })} />
      </div>
      <table class="attribute-form" aria-label={t("design.attributesOf", { model: of })}>
        <thead>
          <tr>
            {(["attribute", ...details] as const).map((name) => <th key={name} scope="col">{t(`design.${name}`)}</th>)}
            <th><span class="unseen">{t("design.removing")}</span></th>
          </tr>
        </thead>
        <tbody>
          {attributes.map((_, j) => <Attribute key={j} design={design} model={model} at={at} attribute={j} change={change} />)}
        </tbody>
      </table>
      <Button icon="plus" kind="quiet" onClick={(e) => { added(e); add(); }}>{t("design.addAttribute")}</Button>
      <InText names={[...others(model, ["name", "key", "items", "puts", "updates", "ttl", "attributes"]), ...(Array.isArray(model["updates"]) ? ["updates"] : [])]} />
    </section>
  );
}

function Attribute({ design, model, at, attribute, change }: Omit<ModelProps, "hue"> & { attribute: number }) {
  const one = attributesOf(model)[attribute];
  const [of, path] = [attributeName(one), `models[${at}].attributes[${attribute}]`];
  const fields = fieldsOf(one);
  const set = (name: string, value: unknown) =>
    change(typeof one === "string" ? { path, value: { name: one, [name]: value } } : { path: `${path}.${name}`, value });
  const sources = listOf(design["models"]).filter((m) => m !== model).flatMap((m) => attributesOf(m).map((a) => `${textOf(fieldsOf(m)["name"])}.${attributeName(a)}`));
  const hidden = others(fields, ["name", ...details]);
  return (
    <tr>
      <td>
        <Field label={t("design.name")} of={of} hideLabel value={of} onCommit={(v) => change(...renameAttribute(design, at, attribute, v))} mono />
        <InText names={hidden} />
      </td>
      <td data-label={t("design.type")}><Pick label={t("design.type")} of={of} hideLabel value={textOf(fields["type"] ?? "string")} options={types} onCommit={(v) => set("type", v === "string" && typeof one !== "string" ? null : v)} /></td>
      <td data-label={t("design.format")}><Pick label={t("design.format")} of={of} hideLabel value={textOf(fields["format"])} options={formats} onCommit={(v) => set("format", v || null)} /></td>
      <td data-label={t("design.of")}><Field label={t("design.of")} of={of} hideLabel value={textOf(fields["of"])} onCommit={(v) => set("of", v || null)} list={sources} mono /></td>
      <td data-label={t("design.values")}><Field label={t("design.values")} of={of} hideLabel value={textOf(fields["values"])} onCommit={(v) => set("values", numberOf(v))} /></td>
      <td data-label={t("design.bytes")}><Field label={t("design.bytes")} of={of} hideLabel value={textOf(fields["bytes"])} onCommit={(v) => set("bytes", numberOf(v))} /></td>
      <td data-label={t("design.mutable")}><Tick label={t("design.mutable")} of={of} hideLabel checked={fields["mutable"] === true} onCommit={(on) => set("mutable", on || null)} /></td>
      <td><Button icon="close" kind="quiet" label={t("design.remove", { name: of })} onClick={() => void change({ path, value: null })} /></td>
    </tr>
  );
}
