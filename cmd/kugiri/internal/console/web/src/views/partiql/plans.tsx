// Plans says what each request would read, write and consume, and why, beside what it has consumed.

import type { Call } from "../../api/code";
import type { Plan } from "../../api/plan";
import { count, t } from "../../i18n";
import { kugiri } from "../../state/session";
import type { Outcome } from "../../state/run_partiql";

interface Props {
  calls: Call[];
  plans: Plan[];
  outcomes: Outcome[]; // of the statements of these calls, if they were run
}

export function Plans({ calls, plans, outcomes }: Props) {
  const why = [...new Set(plans.flatMap((p) => p.why))];
  return (
    <div class="scroll explanation" tabIndex={0} role="region" aria-label={t("query.explanation")}>
      <table class="cost">
        <thead>
          <tr>
            <th scope="col">{t("partiql.statement")}</th>
            <th scope="col">{t("plan.evaluated")}</th>
            <th scope="col">{t("plan.returned")}</th>
            <th scope="col">{t("partiql.written")}</th>
            <th scope="col">{t("partiql.unitsBefore")}</th>
            <th scope="col">{t("partiql.unitsAfter")}</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((c, i) => (
            <PlanRow key={i} call={c} plan={plans[i]} units={outcomes[i]?.units} />
          ))}
        </tbody>
      </table>
      {!kugiri.value && <p class="muted">{t("plan.onlyKugiri")}</p>}
      {why.length > 0 && (
        <section>
          <h2>{t("partiql.why")}</h2>
          <ul class="notes">
            {why.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </section>
      )}
      {plans.flatMap((p) => p.access ?? []).filter((a) => !a.allowed).map((a) => (
        <p key={a.action + a.resource} class="hint error">{t("plan.denied")}: <span class="mono">{a.action} {a.resource}</span></p>
      ))}
    </div>
  );
}

function PlanRow({ call, plan, units }: { call: Call; plan: Plan | undefined; units: number | undefined }) {
  const { Statement } = call.input as { Statement?: string };
  return (
    <tr>
      <th scope="row">
        <span class="mono">{Statement ?? call.operation}</span>
        {plan?.error ? <span class="hint error">{`${plan.error}: ${plan.message ?? ""}`}</span> : <span class="hint">{plan?.reads.map(way).join(", ")}</span>}
      </th>
      <td>{plan ? count(plan.evaluated) : "–"}</td>
      <td>{plan ? count(plan.returned) : "–"}</td>
      <td>{plan ? count(plan.written) : "–"}</td>
      <td>{plan ? String(plan.readUnits + plan.writeUnits) : "–"}</td>
      <td>{units === undefined ? "–" : String(units)}</td>
    </tr>
  );
}

function way(read: Plan["reads"][number]): string {
  const source = read.index ?? read.table;
  if (read.scan) return t("plan.scan", { source });
  return read.keyCondition ? t("plan.queryBy", { source, condition: read.keyCondition }) : t("plan.query", { source });
}
