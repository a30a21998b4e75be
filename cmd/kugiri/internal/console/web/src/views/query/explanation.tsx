// Explanation compares what a request would read, as a plan says before, with what it has read, and
// says why, and what would cost less.

import type { Cost } from "../../api/cost";
import type { Plan } from "../../api/plan";
import { Button, Problem } from "../../components/controls";
import { Icon } from "../../components/icon";
import { count, t } from "../../i18n";
import type { Advice } from "../../state/advice";
import { kugiri } from "../../state/session";

interface Props {
  reads: string; // what the request does, in a line
  plan: Plan | undefined;
  before: Cost | undefined;
  after: Cost | undefined;
  advice: Advice[];
  onApply: (advice: Advice) => void;
}

export function Explanation({ reads, plan, before, after, advice, onApply }: Props) {
  return (
    <div class="scroll explanation" tabIndex={0} role="region" aria-label={t("query.explanation")}>
      <p class="strong">{reads}</p>
      {plan?.error && <Problem text={t("plan.refused", { error: `${plan.error}: ${plan.message ?? ""}` })} />}
      <CostTable before={before} after={after} />
      {!kugiri.value && <p class="muted">{t("plan.onlyKugiri")}</p>}
      {(before || after || advice.length > 0) && <AdviceList advice={advice} onApply={onApply} />}
      {plan?.access && <Permissions access={plan.access} />}
    </div>
  );
}

function CostTable({ before, after }: { before: Cost | undefined; after: Cost | undefined }) {
  const rows: [string, (c: Cost) => string][] = [
    [t("plan.evaluated"), (c) => count(c.evaluated)],
    [t("plan.returned"), (c) => count(c.returned)],
    [t("plan.units"), (c) => String(c.units)],
    [t("plan.pages"), (c) => count(c.pages) + (c.more ? "+" : "")],
  ];
  return (
    <table class="cost">
      <thead>
        <tr>
          <td />
          <th scope="col">{t(before?.more ? "plan.beforePage" : "plan.before")}</th>
          <th scope="col">{t("plan.after")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, of]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{before ? of(before) : "–"}</td>
            <td>{after ? of(after) : "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function AdviceList({ advice, onApply }: { advice: Advice[]; onApply: (advice: Advice) => void }) {
  if (advice.length === 0) return <p class="fine"><Icon name="check" />{t("advice.none")}</p>;
  return (
    <ul class="advice" aria-label={t("advice.label")}>
      {advice.map((one) => (
        <li key={one.why} class="card">
          <p>{one.why}</p>
          {one.remedy && (
            <p class="muted">
              <span>{one.remedy}</span>
              {one.change && <Button onClick={() => onApply(one)}>{t("advice.apply")}</Button>}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Permissions({ access }: { access: NonNullable<Plan["access"]> }) {
  return (
    <section>
      <h2>{t("plan.permissions")}</h2>
      <ul class="notes">
        {access.map((a) => (
          <li key={a.action + a.resource}>
            <span class={a.allowed ? "badge good" : "badge bad"}>{t(a.allowed ? "plan.allowed" : "plan.denied")}</span>{" "}
            <span class="mono">{a.action} {a.resource}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
