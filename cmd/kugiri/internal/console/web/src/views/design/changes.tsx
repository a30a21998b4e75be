// Changes says what has become of the plan since the page was opened, or by the last change: of keys,
// indexes, patterns and costs.

import { useState } from "preact/hooks";
import type { DesignPlan } from "../../api/design";
import { Choice } from "../../components/controls";
import { t } from "../../i18n";

const since = ["last", "begin"] as const;

export function Changes({ first, last, after }: { first: DesignPlan | undefined; last: DesignPlan | undefined; after: DesignPlan }) {
  const [from, setFrom] = useState<(typeof since)[number]>("last");
  const before = from === "begin" ? first : last;
  const [was, is] = [linesOf(before), linesOf(after)];
  const names = before ? [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name)) : [];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("design.changes")}>
      <Choice label={t("design.since")} value={from} options={since.map((one) => ({ value: one, text: t(`design.since.${one}`) }))} onChange={setFrom} />
      {before && <p role="status">{difference(before, after)}</p>}
      {names.length === 0 && <p class="muted">{t("design.same")}</p>}
      <ul class="diff" aria-label={t("design.changes")}>
        {names.map((name) => (
          <li key={name}>
            <span class="mono path">{name}</span>
            {was.has(name) && <span class="side-removed"><span class="unseen">{t("diff.removed")}</span><span class="value">{was.get(name)}</span></span>}
            {is.has(name) && <span class="side-added"><span class="unseen">{t("diff.added")}</span><span class="value">{is.get(name)}</span></span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How the costs of two plans differ, in a few words: "" if they do not. */
export function difference(before: DesignPlan, after: DesignPlan): string {
  const [dollars, indexes] = [after.dollars - before.dollars, after.keys.length - before.keys.length];
  const signed = (n: number, digits: number) => (n < 0 ? "−" : "+") + Math.abs(n).toFixed(digits);
  const parts = [];
  if (Math.abs(dollars) >= 0.005) parts.push(t("design.dearer", { dollars: signed(dollars, 2) }));
  if (indexes !== 0) parts.push(t("design.moreIndexes", { indexes: signed(indexes, 0) }));
  return parts.join(", ");
}

// linesOf describes a plan, a line for each thing that can change.
function linesOf(plan: DesignPlan | undefined): Map<string, string> {
  const lines = new Map<string, string>();
  if (!plan) return lines;
  lines.set(t("design.month"), `$${plan.dollars.toFixed(2)}`);
  for (const k of plan.keys) lines.set(`${t(k.name === "" ? "source.table" : "design.index")} ${k.name || plan.table}`, [k.partition, k.sort, k.projection, (k.models ?? []).join(", ")].filter(Boolean).join(" · "));
  for (const p of plan.patterns) lines.set(p.name, `${p.query} · $${p.dollars.toFixed(2)}`);
  return lines;
}
