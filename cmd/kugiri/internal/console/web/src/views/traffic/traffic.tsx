// Traffic shows the requests of programs as they happen, and what they add up to.

import { useEffect } from "preact/hooks";
import { errorsOf, isThrottle } from "../../api/traffic";
import { Button, Choice, Problem } from "../../components/controls";
import { t, timeOfDay } from "../../i18n";
import { route, setQuery } from "../../state/route";
import { session } from "../../state/session";
import { tableNames, want } from "../../state/tables";
import { operations, paused, record, recording, stop, traffic, trafficError, useTraffic } from "../../state/traffic";
import { Budgets, Figure } from "./budgets";
import { HotKeys } from "./hot_keys";
import { Filters, Live } from "./live";
import { Races } from "./races";
import { Reads } from "./reads";
import { Rules } from "./rules";
import { Sums } from "./sums";

const parts = { live: Live, operations: Sums, keys: HotKeys, reads: Reads, rules: Rules, races: Races };
type Part = keyof typeof parts;
const allNames = Object.keys(parts) as Part[];

// Only the server of the page records for races.
const namesOf = () => allNames.filter((one) => one !== "races" || session.value?.endpoint === "");

export default function TrafficView() {
  useTraffic();
  useDescriptions();
  const names = namesOf();
  const asked = route.value.query.get("show") as Part;
  const shown = names.includes(asked) ? asked : "live";
  const Shown = parts[shown];
  const editing = route.value.query.has("budgets");
  return (
    <section class="page">
      <header class="pagehead">
        <h1>{t("traffic.title")}</h1>
        <span class="muted">{sinceText()}</span>
        <div class="actions">
          <Button icon="budget" kind="quiet" label={t("traffic.budgets")} text={t("traffic.budgets")} onClick={() => setQuery({ budgets: "1" })} />
          {recording.value ? <RecordingButtons /> : <Button kind="primary" onClick={() => void record()}>{t("traffic.record")}</Button>}
        </div>
      </header>
      <Problem text={trafficError.value} />
      <Figures />
      <div class="toolbar">
        <Choice
          label={t("traffic.show")}
          value={shown}
          options={names.map((value) => ({ value, text: t(`traffic.${value}`) }))}
          onChange={(to) => setQuery({ show: to === "live" ? undefined : to })}
        />
        {shown === "live" && <Filters />}
      </div>
      <Shown />
      {editing && <Budgets onClose={() => setQuery({ budgets: undefined }, true)} />}
    </section>
  );
}

function sinceText(): string {
  if (!recording.value) return t("traffic.off");
  return traffic.value ? t("traffic.since", { time: timeOfDay(traffic.value.since).replace(/[.,]\d+$/, "") }) : t("common.loading");
}

function RecordingButtons() {
  return (
    <>
      <Button kind="quiet" disabled={!traffic.value} onClick={() => void stop()}>{t("traffic.stop")}</Button>
      <Button onClick={() => void record()}>{t("traffic.clear")}</Button>
      <Button kind={paused.value ? "primary" : undefined} onClick={() => (paused.value = !paused.value)}>{t(paused.value ? "traffic.resume" : "traffic.pause")}</Button>
    </>
  );
}

function Figures() {
  const counted = traffic.value;
  if (!counted) return <dl class="figures" />;
  return (
    <dl class="figures">
      <Figure name="requests" used={counted.requests} budget />
      <Figure name="readUnits" used={counted.readUnits} budget />
      <Figure name="writeUnits" used={counted.writeUnits} budget />
      <Figure name="errors" used={errorsOf(counted, () => true)} bad />
      <Figure name="throttled" used={errorsOf(counted, isThrottle)} bad />
    </dl>
  );
}

const maxDescribed = 50;

// useDescriptions has the tables described that requests are about: links need their keys.
function useDescriptions(): void {
  const about = [...new Set(operations.value.flatMap((o) => o.tables))].slice(0, maxDescribed).join("\n");
  const own = tableNames.value.length;
  useEffect(() => {
    for (const name of about.split("\n")) if (tableNames.value.includes(name)) want(name);
  }, [about, own]);
}
