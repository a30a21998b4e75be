// Result shows the items that a query has returned so far, and what reading them cost.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { TableDescription } from "../../api/dynamodb";
import type { Source } from "../../api/schema";
import { Button, Empty, Problem } from "../../components/controls";
import { Icon } from "../../components/icon";
import { t } from "../../i18n";
import { useFresh } from "../../state/fresh";
import { currentOf, currentParts } from "../../state/known";
import type { Request } from "../../state/read";
import { setQuery } from "../../state/route";
import type { Run } from "../../state/run";
import { ExportButton } from "../../transfer/buttons";
import { useItemsList } from "../items_list";
import { withoutSegment } from "./use_query";

interface Props {
  table: TableDescription;
  source: Source;
  run: Run;
}

export function Result({ table, source, run }: Props) {
  useEffect(() => setQuery({ item: undefined }, true), [run.request]);
  if (!run.request) return <Empty title={t("query.notRun")}><p>{t("query.notRunHint")}</p></Empty>;
  return <Found table={table} source={source} run={run} request={run.request} />;
}

// isPart reports whether the items of a request may lack attributes.
const isPart = ({ input }: Request) => ["IndexName", "ProjectionExpression", "AttributesToGet"].some((name) => name in input);

function Found({ table, source, run, request }: Props & { request: Request }) {
  const partial = isPart(request);
  useFresh(table, run.items);
  const items = (partial ? currentParts : currentOf)(table, run.items);
  const { bar, list, dialogs, columns, editing } = useItemsList({
    table, source, label: t("query.items"), items, partial, done: run.done || run.error !== "", request: withoutSegment(request), onMoved: () => {}, onlyHaving: true, found: true,
    empty: () => run.error ? <div class="empty" /> : <Empty title={run.cost.returned > 0 ? t("query.counted", { count: run.cost.returned }) : t("items.none")} />,
  });
  return (
    <>
      <Problem text={run.error} />
      {list}
      {bar}
      <RunStatus run={run}>
        {editing.changes}
        <ExportButton table={table} request={withoutSegment(request)} columns={columns.columns.map((c) => c.id)} />
      </RunStatus>
      {dialogs}
    </>
  );
}

function RunStatus({ run, children }: { run: Run; children: ComponentChildren }) {
  return (
    <div class="status" role="status">
      <span>{t("items.all", { count: run.cost.returned })}</span>
      <span>{t("items.scanned", { count: run.cost.evaluated })}</span>
      <span>{t("items.units", { units: String(run.cost.units) })}</span>
      <span>{t("query.pages", { count: run.cost.pages })}</span>
      {run.reading && <span>{t("common.loading")}</span>}
      <span class="actions">
        {children}
        {run.reading && <Button kind="quiet" onClick={run.stop}>{t("query.stop")}</Button>}
        {!run.reading && !run.done && <Button onClick={run.more}><Icon name="down" />{t("query.more")}</Button>}
      </span>
    </div>
  );
}
