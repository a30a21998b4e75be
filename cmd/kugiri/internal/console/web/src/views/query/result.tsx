// Result shows the items that a query has returned so far, and what reading them cost.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { TableDescription } from "../../api/dynamodb";
import { keyOf, type Source } from "../../api/schema";
import { attribute, type Item } from "../../api/values";
import { useColumns } from "../../components/columns";
import { Button, Empty, Problem } from "../../components/controls";
import { Grid, type Column } from "../../components/grid";
import { Icon } from "../../components/icon";
import { ItemPanel } from "../../components/item_panel";
import { t } from "../../i18n";
import type { Run } from "../../state/run";
import { ExportButton } from "../../transfer/buttons";
import { withoutSegment } from "./use_query";

interface Props {
  table: TableDescription;
  source: Source;
  run: Run;
}

export function Result({ table, source, run }: Props) {
  const keys = table.KeySchema.map((k) => k.AttributeName);
  const columns = useColumns(table.TableName, [...new Set([...source.keys.map((k) => k.AttributeName), ...keys])], run.items);
  const [opened, setOpened] = useState<Item>();
  useEffect(() => setOpened(undefined), [run.request]);
  if (!run.request) return <Empty title={t("query.notRun")}><p>{t("query.notRunHint")}</p></Empty>;
  const has = (id: string) => columns.all.some((c) => c.name === id && c.count > 0);
  const shown = columns.columns.filter((c) => run.items.length === 0 || has(c.id));
  const open = (item: Item) => keys.every((k) => attribute(item, k)) && setOpened(keyOf(table.KeySchema, item));
  return (
    <>
      <Problem text={run.error} />
      <div class="split">
        <Items run={run} columns={shown} onResize={columns.resize} onOpen={open} />
        {opened && <ItemPanel table={table} itemKey={opened} loaded={[]} entity={() => ""} onClose={() => setOpened(undefined)} />}
      </div>
      <RunStatus run={run}>
        <ExportButton table={table} request={withoutSegment(run.request)} columns={shown.map((c) => c.id)} />
      </RunStatus>
    </>
  );
}

interface ItemsProps {
  run: Run;
  columns: Column<Item>[];
  onResize: (column: string, width: number) => void;
  onOpen: (item: Item) => void;
}

function Items({ run, columns, onResize, onOpen }: ItemsProps) {
  const [active, setActive] = useState(0);
  if (run.error && run.items.length === 0) return <div class="empty" />;
  if (run.items.length === 0 && !run.reading) return <Empty title={run.cost.returned > 0 ? t("query.counted", { count: run.cost.returned }) : t("items.none")} />;
  return (
    <Grid
      label={t("query.items")}
      rows={run.items}
      columns={columns}
      rowKey={(_, at) => String(at)}
      active={active}
      onActive={setActive}
      onOpen={onOpen}
      onResize={onResize}
    />
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
