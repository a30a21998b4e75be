// Changes says what has become of the plan since the page was opened: of keys, indexes, patterns and costs.

import type { DesignPlan } from "../../api/design";
import { t } from "../../i18n";

export function Changes({ before, after }: { before: DesignPlan | undefined; after: DesignPlan }) {
  const [was, is] = [linesOf(before), linesOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("design.changes")}>
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

// linesOf describes a plan, a line for each thing that can change.
function linesOf(plan: DesignPlan | undefined): Map<string, string> {
  const lines = new Map<string, string>();
  if (!plan) return lines;
  lines.set(t("design.month"), `$${plan.dollars.toFixed(2)}`);
  for (const k of plan.keys) lines.set(k.name || plan.table, [k.partition, k.sort, k.projection, (k.models ?? []).join(", ")].filter(Boolean).join(" · "));
  for (const p of plan.patterns) lines.set(p.name, `${p.query} · $${p.dollars.toFixed(2)}`);
  return lines;
}
