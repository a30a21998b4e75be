// PatternForms is the form of the patterns: a card each, with what the plan makes of it and what that costs.

import type { DesignChange, DesignPlan, Fields } from "../../api/design";
import { Badge, Button } from "../../components/controls";
import { useNewRow } from "../../components/new_row";
import { decimal, t } from "../../i18n";
import { Field, InText, Pick, Tick } from "./fields";
import { attributeName, attributesOf, childOf, fieldsOf, listOf, namesOf, namesText, newName, numberOf, others, readerOf, textOf } from "./values";

interface Props {
  values: Fields;
  plan: DesignPlan | undefined;
  hue: (model: string) => string;
  change: (...changes: DesignChange[]) => Promise<boolean>; // false: it was not done
}

export function PatternForms({ values, plan, hue, change }: Props) {
  const patterns = listOf(values["patterns"]).map(fieldsOf);
  const models = listOf(values["models"]).map(fieldsOf);
  const added = useNewRow(patterns.length);
  const add = () => {
    const model = models[0] ?? {};
    const pattern = { name: newName("pattern", patterns.map((p) => textOf(p["name"]))), model: textOf(model["name"]), equal: listOf(model["key"]), one: true, rate: 1 };
    void change(patterns.length > 0 ? { path: `patterns[${patterns.length}]`, value: pattern } : { path: "patterns", value: [pattern] });
  };
  return (
    <div class="scroll forms" tabIndex={0} role="region" aria-label={t("design.patterns")}>
      {patterns.map((p, i) => <Pattern key={i} pattern={p} at={i} models={models} plan={plan} hue={hue(readerOf(p))} change={change} />)}
      <Button icon="plus" onClick={(e) => { added(e); add(); }}>{t("design.addPattern")}</Button>
    </div>
  );
}

interface PatternProps {
  pattern: Fields;
  at: number;
  models: Fields[];
  plan: DesignPlan | undefined;
  hue: string;
  change: (...changes: DesignChange[]) => Promise<boolean>; // false: it was not done
}

const shown = ["name", "model", "models", "equal", "range", "begins", "order", "period", "shards", "descending", "one", "consistent", "rate", "returned", "through", "fanout", "deletes", "latest"];

function Pattern({ pattern, at, models, plan, hue, change }: PatternProps) {
  const [of, path] = [textOf(pattern["name"]), `patterns[${at}]`];
  const set = (name: string, value: unknown) => change({ path: `${path}.${name}`, value });
  const attributes = models.filter((m) => m["name"] === readerOf(pattern)).flatMap((m) => attributesOf(m).map(attributeName));
  const through = textOf(pattern["through"]);
  const readers = models.filter((m) => m["name"] === through).flatMap((m) => attributesOf(m).map(attributeName));
  // What depends on a value goes with it, even if the form does not show it yet: a feed has these fields only, and only items that are written are deleted.
  const setFeed = (name: string, value: string, ...without: string[]) =>
    change({ path: `${path}.${name}`, value: value || null }, ...without.map((one) => ({ path: `${path}.${one}`, value: null })));
  const children = models.filter((m) => m["name"] === childOf(pattern)).flatMap((m) => attributesOf(m).map(attributeName));
  const [by, newest] = Object.entries(fieldsOf(pattern["latest"]))[0] ?? ["", 10];
  const setLatest = (name: string, n: unknown) => set("latest", name ? { [name]: n } : null);
  const planned = plan?.patterns.find((one) => one.name === of);
  const setModels = (text: string) => {
    const names = namesOf(text) ?? [];
    const [now, before] = names.length > 1 ? ["models", "model"] : ["model", "models"];
    return change({ path: `${path}.${now}`, value: names.length > 1 ? names : (names[0] ?? "") }, { path: `${path}.${before}`, value: null });
  };
  const named = (name: "range" | "order" | "begins") => <Pick label={t(`design.${name}`)} of={of} value={textOf(pattern[name])} options={["", ...attributes]} onCommit={(v) => set(name, v || null)} />;
  const number = (name: "rate" | "returned" | "shards") => <Field label={t(`design.${name}`)} of={of} value={textOf(pattern[name])} onCommit={(v) => set(name, numberOf(v))} />;
  const tick = (name: "descending" | "one" | "consistent") => <Tick label={t(`design.${name}`)} of={of} checked={pattern[name] === true} onCommit={(on) => set(name, on || null)} />;
  return (
    <section class={`card form ${hue}`} aria-label={t("design.patternOf", { name: of })}>
      <div class="form-head">
        <Field label={t("design.name")} of={of} value={of} onCommit={(v) => set("name", v)} />
        {number("rate")}
        <Button icon="trash" kind="quiet" label={t("design.remove", { name: of })} onClick={() => void change({ path, value: null })} />
      </div>
      <p class="form-cost">
        {planned && <><strong>{t("design.dollars", { dollars: planned.dollars.toFixed(2) })}</strong> <span class="muted">{t("design.units", { units: decimal(planned.readUnits, 1) })}</span> <Badge>{planned.index || plan!.table}</Badge></>}
        {!planned && <span class="muted">{t("design.unplanned")}</span>}
      </p>
      <div class="form-fields">
        <Field label={t("design.model")} of={of} value={pattern["models"] ? namesText(pattern["models"]) : textOf(pattern["model"])} onCommit={setModels} list={models.map((m) => textOf(m["name"]))} />
        <Field label={t("design.equal")} of={of} value={namesText(pattern["equal"])} onCommit={(v) => set("equal", namesOf(v))} list={through ? readers : attributes} mono />
        {named("order")}
        {named("range")}
        {named("begins")}
        {number("returned")}
      </div>
      <div class="form-ticks">{tick("one")}{tick("descending")}{tick("consistent")}</div>
      <details>
        <summary>{t("design.spread")}</summary>
        <div class="form-fields">
          <Pick label={t("design.period")} of={of} value={textOf(pattern["period"])} options={["", "year", "month", "day", "hour"]} onCommit={(v) => set("period", v || null)} />
          {number("shards")}
        </div>
      </details>
      {(children.length > 0 || by !== "") && (
        <details open={by !== ""}>
          <summary>{t("design.latest")}</summary>
          <div class="form-fields">
            <Pick label={t("design.latestBy")} of={of} value={by} options={["", ...children]} onCommit={(v) => setLatest(v, newest)} />
            {by && <Field label={t("design.latestItems")} of={of} value={textOf(newest)} onCommit={(v) => setLatest(by, numberOf(v))} />}
          </div>
        </details>
      )}
      <details open={through !== ""}>
        <summary>{t("design.feed")}</summary>
        <div class="form-fields">
          <Pick label={t("design.through")} of={of} value={through} options={["", ...models.map((m) => textOf(m["name"]))]} onCommit={(v) => setFeed("through", v, ...(v ? [] : ["fanout", "deletes"]))} />
          {through && <Pick label={t("design.fanout")} of={of} value={textOf(pattern["fanout"])} options={["", "read", "write"]} onCommit={(v) => setFeed("fanout", v, ...(v === "write" ? [] : ["deletes"]))} />}
          {pattern["fanout"] === "write" && <Pick label={t("design.deletes")} of={of} value={textOf(pattern["deletes"])} options={["", "kept", "cleaned"]} onCommit={(v) => setFeed("deletes", v)} />}
        </div>
      </details>
      <InText names={others(pattern, shown)} />
    </section>
  );
}
