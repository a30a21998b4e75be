// Outcomes shows what came of each statement, and the items of the one that is chosen.

import { useEffect, useState } from "preact/hooks";
import type { TableDescription } from "../../api/dynamodb";
import { sourceOf } from "../../api/partiql";
import { sourcesOf } from "../../api/schema";
import { attribute } from "../../api/values";
import { useColumns } from "../../components/columns";
import { Button, Empty, Problem } from "../../components/controls";
import { Grid } from "../../components/grid";
import { Icon } from "../../components/icon";
import { t } from "../../i18n";
import { useFresh } from "../../state/fresh";
import { currentOf, currentParts } from "../../state/known";
import { setQuery } from "../../state/route";
import { tableInfos, tableNames, want } from "../../state/tables";
import { useItemsList } from "../items_list";
import type { Outcome, PartiQLRun } from "../../state/run_partiql";

export function Outcomes({ run }: { run: PartiQLRun }) {
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, run.outcomes.length - 1);
  const one = run.outcomes[at];
  if (!one) return <Empty title={t("query.notRun")}><p>{t("partiql.notRunHint")}</p></Empty>;
  return (
    <>
      {run.outcomes.length > 1 && (
        <ol class="outcomes" aria-label={t("partiql.statements")}>
          {run.outcomes.map((o, i) => (
            <li key={i}>
              <button type="button" aria-pressed={i === at} onClick={() => setChosen(i)}>
                <State of={o} />
                <span class="mono">{o.statement.title}</span>
                <span class={o.error ? "said error" : "said muted"}>{o.error || said(o)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      <Items one={one} />
      <div class="status" role="status">
        <span>{said(one)}</span>
        {one.units !== undefined && <span>{t("partiql.units", { units: String(one.units) })}</span>}
        <span class="actions">{one.next && <Button disabled={run.running} onClick={() => run.more(at)}><Icon name="down" />{t("query.more")}</Button>}</span>
      </div>
    </>
  );
}

function Items({ one }: { one: Outcome }) {
  const columns = useColumns("partiql " + one.statement.title.slice(0, 200), [], one.items);
  const [active, setActive] = useState(0);
  useEffect(() => setActive(0), [one.statement]);
  const from = sourceOf(one.statement);
  useEffect(() => {
    setQuery({ item: undefined }, true);
    if (from && tableNames.value.includes(from.table)) want(from.table);
  }, [one.statement, from?.table]);
  if (one.error) return <div class="view"><Problem text={one.error} /></div>;
  if (one.items.length === 0) return <Empty title={one.state === "done" && one.statement.writes ? t("partiql.done") : one.state === "done" ? t("items.none") : t("common.loading")} />;
  const table = from && tableInfos.value.get(from.table)?.table;
  if (table && one.items.every((item) => table.KeySchema.every((k) => attribute(item, k.AttributeName)))) return <Found key={table.TableName} table={table} one={one} whole={from.whole} />;
  return (
    <Grid label={t("query.items")} rows={one.items} columns={columns.columns} rowKey={(_, i) => String(i)} active={active} onActive={setActive} onResize={columns.resize} />
  );
}

// Found shows items of a table, with what can be done to them.
function Found({ table, one, whole }: { table: TableDescription; one: Outcome; whole: boolean }) {
  useFresh(table, one.items);
  const items = (whole ? currentOf : currentParts)(table, one.items);
  const { bar, list, dialogs, editing } = useItemsList({
    table, source: sourcesOf(table)[0]!, label: t("query.items"), items, partial: !whole, done: !one.next, onMoved: () => {}, onlyHaving: true, found: true,
    empty: () => <Empty title={t("items.none")} />,
  });
  return (
    <>
      {list}
      {bar}
      <div class="actions found-actions">{editing.changes}</div>
      {dialogs}
    </>
  );
}

function said(o: Outcome): string {
  if (o.state === "failed") return t("partiql.failed");
  if (o.state !== "done") return t(o.state === "running" ? "common.loading" : "partiql.waiting");
  return o.statement.writes && o.items.length === 0 ? t("partiql.done") : t("items.all", { count: o.items.length });
}

function State({ of }: { of: Outcome }) {
  const icons = { waiting: "more", running: "refresh", done: "check", failed: "warning" } as const;
  return <span class={`state ${of.state}`}><Icon name={icons[of.state]} /></span>;
}
