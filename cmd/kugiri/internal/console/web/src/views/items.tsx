// Items shows the items of a table or an index: all of them, or an item collection.

import { useEffect, useState } from "preact/hooks";
import { explain, type TableDescription } from "../api/dynamodb";
import { hueOf } from "../api/entities";
import { sourcesOf, type Source } from "../api/schema";
import type { Item } from "../api/values";
import { ColumnChooser } from "../components/columns";
import { Button, Empty, Problem } from "../components/controls";
import { late } from "../components/late";
import { ReadBar } from "../components/read_bar";
import { t } from "../i18n";
import { draftOf, requestOfDraft } from "../state/draft";
import { forgetItems } from "../state/known";
import { requestOf, type Request } from "../state/read";
import { usePages, type Pages } from "../state/pages";
import { route } from "../state/route";
import { maxUnits } from "../state/session";
import { kept } from "../state/settings";
import { useChanged, versions } from "../state/versions";
import { ExportButton, useImport } from "../transfer/buttons";
import type { ItemsFilterProps } from "./items_filter";
import { useItemsList } from "./items_list";
import type { TableViewProps } from "./props";

const ItemsFilter = late<ItemsFilterProps>("ItemsFilter");

const grouped = kept("grouped", false);
const following = kept("following", false);

export default function Items({ table, refresh }: TableViewProps) {
  const query = route.value.query;
  const sources = sourcesOf(table);
  const source = sources.find((s) => (s.index ?? "") === (query.get("index") ?? "")) ?? sources[0]!;
  const { request: { operation, input }, fault } = requestOfItems(table, source, query);
  const filtered = query.has("filter");
  const pages = usePages(table, operation, input);
  const reread = () => {
    refresh();
    forgetItems(table);
  };
  const changed = useChanged(table, pages.since);
  useEffect(() => {
    if (changed && following.value) reread();
  }, [changed, following.value]);
  const importing = useImport({ table, onDone: refresh });
  const [filtering, setFiltering] = useState(filtered);
  const [choosing, setChoosing] = useState(false);
  const total = operation === "Scan" && !source.index && !filtered ? (table.ItemCount ?? 0) : 0; // of a part nobody knows
  const { editing, columns, entity, bar, list, dialogs, sortedBy } = useItemsList({
    table, source, label: t("items.title"), items: pages.items, partial: source.index !== undefined, done: pages.done, total, inGroups: grouped.value, request: { operation, input }, onEnd: pages.more, onMoved: refresh,
    empty: (of) => (
      <Empty title={t("items.none")}>
        <p>{t(filtered ? "items.noneMatches" : operation === "Scan" ? "items.noneHint" : "items.noneThere")}</p>
        <div class="actions">{of.create}{importing.offer}</div>
      </Empty>
    ),
  });
  return (
    <div class="view" {...importing.onDrop}>
      <ReadBar table={table} sources={sources} source={source}>
        {editing.toolbar}
        <Button icon="filter" kind="quiet" label={t("query.filter")} text={t("query.filter")} pressed={filtering} onClick={() => setFiltering(!filtering)} />
        {importing.button}
        <ExportButton table={table} request={{ operation, input }} columns={columns.columns.map((c) => c.id)} />
        <Button icon="group" kind="quiet" label={t("items.group")} text={t("toolbar.group")} pressed={grouped.value} onClick={() => (grouped.value = !grouped.value)} />
        <Button icon="columns" kind="quiet" label={t("columns.title")} text={t("columns.title")} onClick={() => setChoosing(true)} />
        <Button icon="refresh" kind="quiet" label={t("common.refresh")} text={t("common.refresh")} onClick={reread} />
        {versions.value && <Button icon="clock" kind="quiet" label={t("toolbar.follow")} title={t("items.follow")} text={t("toolbar.follow")} pressed={following.value} onClick={() => (following.value = !following.value)} />}
      </ReadBar>
      {filtering && <ItemsFilter table={table} items={pages.items} onClose={() => setFiltering(false)} />}
      <Problem text={fault} />
      <Problem text={pages.error} onRetry={pages.restart} />
      {list}
      {bar}
      <div class="status" role="status">
        <span>{countOf(pages, total)}</span>
        {pages.scanned > pages.items.length && <span>{t("items.scanned", { count: pages.scanned })}</span>}
        <span>{t("items.units", { units: String(pages.units) })}</span>
        {sortedBy && <span>{t(pages.done ? "items.sorted" : "items.sortedPart", { column: sortedBy })}</span>}
        {pages.reading && <span>{t("common.loading")}</span>}
        {changed && !following.value && <Button icon="refresh" onClick={reread}>{t("items.changed")}</Button>}
        {pages.held && !pages.reading && <Button onClick={pages.readOn}>{t("items.readOn", { units: maxUnits.value })}</Button>}
        <Legend items={pages.items} entity={entity} />
      </div>
      {choosing && <ColumnChooser columns={columns} onClose={() => setChoosing(false)} />}
      {dialogs}
      {importing.dialog}
    </div>
  );
}

// requestOfItems is the request of an address, with its filter. A filter that cannot be read is left out, and
// what is wrong with it is said.
function requestOfItems(table: TableDescription, source: Source, query: URLSearchParams): { request: Request; fault: string } {
  const plain = requestOf(table, source, query);
  if (!query.has("filter")) return { request: plain, fault: "" };
  try {
    return { request: requestOfDraft(table, source, { ...draftOf(query), limit: "", segments: "", request: "", attributes: [], consistent: false }), fault: "" };
  } catch (e) {
    return { request: plain, fault: explain(e) };
  }
}

// countOf says how many items were read, and how many there are if that is known: DynamoDB counts a table
// every six hours.
function countOf({ items: { length }, done }: Pages, total: number): string {
  if (done) return t("items.all", { count: length });
  if (length === 0) return ""; // it is being read
  return total > length ? t("items.loaded", { count: length, total }) : t("items.andMore", { count: length });
}

// Legend names the colors of the entities that the first items have.
function Legend({ items, entity }: { items: Item[]; entity: (item: Item) => string }) {
  const names = [...new Set(items.slice(0, 500).map(entity))].filter(Boolean).sort().slice(0, 12);
  return (
    <ul class="legend" aria-label={t("items.legend")}>
      {names.map((name) => (
        <li key={name} class={`hue hue-${hueOf(name)}`}>{name}</li>
      ))}
    </ul>
  );
}

