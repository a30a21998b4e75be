// Picture shows the table and each index with items of all models, colored by model, as keys group them.

import type { DesignKey, DesignPlan } from "../../api/design";
import { hues } from "../../api/entities";
import { Badge } from "../../components/controls";
import { t } from "../../i18n";

const maxAttributes = 6; // besides those of the key

export function Picture({ plan }: { plan: DesignPlan }) {
  return (
    <div class="scroll picture" tabIndex={0} role="region" aria-label={t("design.picture")}>
      <ul class="legend shown" aria-label={t("items.legend")}>
        {modelsOf(plan).map((model) => <li key={model} class={hueIn(plan, model)}>{model}</li>)}
      </ul>
      {plan.keys.map((key) => <Source key={key.name} of={key} plan={plan} />)}
    </div>
  );
}

function Source({ of: key, plan }: { of: DesignKey; plan: DesignPlan }) {
  const keys = [key.partition, ...(key.sort ? [key.sort] : [])];
  const rows = plan.items.filter((one) => keys.every((name) => one.values[name] !== undefined) && (key.name === "" || (key.models ?? []).includes(one.model)))
    .sort((a, b) => keys.map((name) => compare(a.values[name], b.values[name])).find((n) => n !== 0) ?? 0);
  const others = [...new Set(rows.flatMap((one) => Object.keys(one.values)))].filter((name) => !keys.includes(name)).slice(0, maxAttributes);
  return (
    <section class="part" aria-label={key.name || plan.table}>
      <header>
        <h2 class="mono">{key.name || plan.table}</h2>
        <Badge>{t(key.name === "" ? "source.table" : key.local ? "source.local" : "source.global")}</Badge>
        {key.projection && <span class="muted">{key.projection}</span>}
        <span class="muted">{t("design.dollars", { dollars: key.dollars.toFixed(2) })}</span>
      </header>
      <div class="picture-table" tabIndex={0} role="group" aria-label={t("design.itemsOf", { source: key.name || plan.table })}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("key.partition")} <span class="mono">{key.partition}</span></th>
              {key.sort && <th scope="col">{t("key.sort")} <span class="mono">{key.sort}</span></th>}
              {others.map((name) => <th key={name} scope="col" class="mono">{name}</th>)}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i} class={hueIn(plan, row.model)}>
                {keys.map((name) => <td key={name} class="mono strong">{same(rows[i - 1]?.values, row.values, key.partition) && name === key.partition ? "" : shown(row.values[name])}</td>)}
                {others.map((name) => <td key={name} class="mono">{shown(row.values[name])}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const shown = (value: unknown) => (value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));
const compare = (a: unknown, b: unknown) => (typeof a === "number" && typeof b === "number" ? a - b : shown(a) < shown(b) ? -1 : shown(a) > shown(b) ? 1 : 0);
const same = (a: { [name: string]: unknown } | undefined, b: { [name: string]: unknown }, name: string) => a !== undefined && shown(a[name]) === shown(b[name]);

const modelsOf = (plan: DesignPlan) => [...new Set(plan.items.map((one) => one.model))].sort();

/** hueIn is the color of a model: that of its place, so that as many as there are colors differ. */
export const hueIn = (plan: DesignPlan, model: string) => `hue hue-${modelsOf(plan).indexOf(model) % hues}`;
