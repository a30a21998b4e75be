// Races shows writes that go wrong when two programs run at the same time: what they asked for, and the
// order that hurts, step by step.

import { useEffect, useState } from "preact/hooks";
import { explain } from "../../api/dynamodb";
import { races, type Race, type Races as Found } from "../../api/races";
import type { Item } from "../../api/values";
import { Badge, Button, Empty, Loading, Problem } from "../../components/controls";
import { Sequence } from "../../components/sequence";
import { count, t } from "../../i18n";
import { inOrder } from "../../state/order";
import { tableLink } from "./links";

const every = 2000; // milliseconds

export function Races() {
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState("");
  const [question] = useState(inOrder);
  const ask = async (method: "GET" | "POST" | "DELETE") => {
    const isNew = question();
    try {
      const to = await races(method);
      if (!isNew()) return;
      setFound(to);
      setError("");
    } catch (e) {
      if (isNew()) setError(explain(e));
    }
  };
  useEffect(() => void ask("GET"), []);
  useEffect(() => {
    if (!found?.recording) return;
    const timer = setInterval(() => void ask("GET"), every);
    return () => clearInterval(timer);
  }, [found?.recording]);
  if (!found) return error ? <Problem text={error} onRetry={() => void ask("GET")} /> : <Loading />;
  const { report } = found;
  return (
    <div class="scroll races">
      <div class="actions">
        <Button kind={found.recording ? "quiet" : "primary"} onClick={() => void ask("POST")}>{t(found.recording ? "races.again" : "races.record")}</Button>
        {found.recording && <Button onClick={() => void ask("DELETE")}>{t("races.stop")}</Button>}
        <span class="muted" role="status">{t("races.looked", { count: report?.requests ?? 0, callers: count(report?.callers ?? 0) })}{found.full ? ` ${t("races.full")}` : ""}</span>
      </div>
      <Problem text={error} />
      {(report?.findings ?? []).map((one, i) => <Finding key={i} race={one} />)}
      {(report?.findings ?? []).length === 0 && <Empty title={t(found.recording ? "races.none" : "races.off")}><p>{t("races.hint")}</p></Empty>}
    </div>
  );
}

function Finding({ race }: { race: Race }) {
  return (
    <article class="card race" aria-label={race.kind}>
      <h2>
        <span class="mono">{race.kind}</span> <Badge tone={race.confirmed ? "bad" : "warn"}>{t(race.confirmed ? "races.confirmed" : "races.possible")}</Badge> <span class="muted">{t("races.times", { count: race.count })}</span>
      </h2>
      <p>{race.why}</p>
      <ol class="race-requests">
        {race.requests.map((r) => (
          <li key={r.request} value={r.request}>
            <strong>{r.operation}</strong> <a class="mono" href={tableLink(r.table, undefined, itemOf(r.key))}>{r.table} {r.key}</a>
          </li>
        ))}
      </ol>
      <Order order={race.order} />
      <p><strong>{t("refusal.instead")}</strong> {race.remedy}</p>
      {race.reason && <p class="muted">{race.reason}</p>}
    </article>
  );
}

function itemOf(key: string): { item?: string } {
  try {
    return { item: JSON.stringify(JSON.parse(key) as Item) };
  } catch {
    return {}; // the key is not known
  }
}

// Order shows the order that hurts, step by step.
function Order({ order }: { order: string[] }) {
  const [at, setAt] = useState(0);
  const steps = order.map((one) => {
    const m = /^([^:]+): (.*)$/s.exec(one);
    return m ? { who: m[1]!, what: m[2]! } : { who: "", what: one };
  });
  const workers = [...new Set(steps.map((s) => s.who))];
  return (
    <Sequence
      title={t("races.order")}
      workers={workers.map((w) => w || t("races.everybody"))}
      steps={steps.map((s) => ({ worker: workers.indexOf(s.who), content: s.what }))}
      at={at}
      onAt={setAt}
    />
  );
}
