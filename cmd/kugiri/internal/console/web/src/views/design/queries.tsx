// Queries shows how each pattern is read and what it costs, and the reasons of the plan.

import type { DesignPlan } from "../../api/design";
import { Badge } from "../../components/controls";
import { decimal, t } from "../../i18n";

export function Queries({ plan }: { plan: DesignPlan }) {
  return (
    <div class="scroll explanation" tabIndex={0} role="region" aria-label={t("design.queries")}>
      <table class="cost patterns">
        <thead>
          <tr>
            <th scope="col">{t("design.pattern")}</th>
            <th scope="col">{t("design.readUnits")}</th>
            <th scope="col">{t("design.month")}</th>
          </tr>
        </thead>
        <tbody>
          {plan.patterns.map((p) => (
            <tr key={p.name}>
              <th scope="row">
                {p.name} <Badge>{p.index || plan.table}</Badge>
                <span class="hint mono">{p.query}</span>
              </th>
              <td>{decimal(p.readUnits, 1)}</td>
              <td>{`$${p.dollars.toFixed(2)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <section>
        <h2>{t("design.reasons")}</h2>
        <ul class="notes">
          {plan.notes.map((n, i) => (
            <li key={i}>{n.warning && <Badge tone="warn">{t("design.warning")}</Badge>} {n.about && <strong>{n.about}: </strong>}{n.text}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}
