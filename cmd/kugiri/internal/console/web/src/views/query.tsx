// QueryView builds a Query or Scan of a table, says what it will cost, and runs it.

import { useEffect, useMemo, useState } from "preact/hooks";
import { noCost, planCost } from "../api/cost";
import { explain, type TableDescription } from "../api/dynamodb";
import { keyOf, sourcesOf, type Source } from "../api/schema";
import { attribute, type Item } from "../api/values";
import { Code } from "../components/code";
import { useColumns } from "../components/columns";
import { Button, Choice, Empty, Problem } from "../components/controls";
import { Editor } from "../components/editor";
import { Grid } from "../components/grid";
import { History } from "../components/history";
import { Icon } from "../components/icon";
import { ItemPanel } from "../components/item_panel";
import { copy } from "../components/toast";
import { t } from "../i18n";
import { ExportButton } from "../transfer/buttons";
import type { TableViewProps } from "../registry";
import { useAddress } from "../state/address";
import { adviceFor } from "../state/advice";
import { draftOf, draftQuery, requestOfDraft, summaryOf, type Draft } from "../state/draft";
import { remember } from "../state/history";
import { usePaths } from "../state/paths";
import { usePlans } from "../state/plan";
import type { Request } from "../state/read";
import { route } from "../state/route";
import { useRun, type Run } from "../state/run";
import { useRunKey } from "../state/run_key";
import { Explanation } from "./query/explanation";
import { QueryForm } from "./query/form";

const panes = ["items", "explanation", "request", "code", "history"] as const;
type Pane = (typeof panes)[number];

export default function QueryView({ table }: TableViewProps) {
  const { draft, change, arrived, keep } = useAddress(draftOf, draftQuery);
  const source = sourceOf(table, draft);
  const made = useMemo(() => make(table, source, draft), [table, draft]);
  const text = made.request ? JSON.stringify(withoutSegment(made.request)) : "";
  const { plans, error: planError } = usePlans(text && `[${text}]`);
  const plan = plans[0];
  const run = useRun();
  const paths = usePaths(table, run.items);
  const [pane, setPane] = useState<Pane>("items");
  const start = () => {
    if (!made.request) return;
    run.start(made.request, draft.request ? 1 : segmentsOf(made.request));
    if (pane !== "explanation") setPane("items");
  };
  useEffect(() => {
    if (route.value.query.has("run")) start(); // a link to what somebody has run
  }, [arrived]);
  const runIt = () => {
    if (!made.request) return;
    keep({ run: "1" });
    remember(historyName(table), summaryOf(source, draft));
    start();
  };
  useRunKey(runIt);
  const ran = run.request && JSON.stringify(withoutSegment(run.request)) === text;
  const before = plan && !plan.error ? planCost(plan) : undefined;
  const after = ran && run.cost.pages > 0 ? run.cost : undefined;
  const reads = made.request ? sentence(made.request, source, plan?.reads[0]?.keyCondition) : "";
  return (
    <div class="split query">
      <form
        class="query-form"
        onSubmit={(e) => {
          e.preventDefault();
          runIt();
        }}
      >
        <fieldset class="query-fields" disabled={draft.request !== ""}>
          <QueryForm table={table} source={source} draft={draft} paths={paths} change={change} />
        </fieldset>
        <footer>
          {draft.request && (
            <p class="hint">
              {t("query.byHand")} <Button onClick={() => change({ request: "" })}>{t("query.backToForm")}</Button>
            </p>
          )}
          <p class={made.error || plan?.error || planError ? "plan-line error" : "plan-line"} role="status">
            {made.error || planError || (plan?.error ? `${plan.error}: ${plan.message ?? ""}` : reads)}
            {before && !made.error && <span class="muted"> {t("plan.line", { evaluated: before.evaluated, returned: before.returned, units: String(before.units) })}</span>}
          </p>
          <Button type="submit" kind="primary" disabled={!made.request}>{t("query.run")}</Button>
        </footer>
      </form>
      <div class="query-result">
        <div class="toolbar">
          <Choice
            label={t("query.pane")}
            value={pane}
            options={panes.map((one) => ({ value: one, text: t(`query.${one}`) }))}
            onChange={setPane}
          />
          <div class="actions">
            <Button icon="link" kind="quiet" label={t("query.share")} onClick={() => { keep(); void copy(location.href, t("query.shared")); }} />
          </div>
        </div>
        {pane === "items" && <Result table={table} source={source} run={run} />}
        {pane === "explanation" && (
          <Explanation
            reads={reads}
            plan={plan}
            before={before}
            after={after}
            advice={made.request ? adviceFor({ table, source, draft, request: made.request, cost: after ?? before ?? noCost }) : []}
            onApply={(a) => change(a.change ?? {})}
          />
        )}
        {pane === "request" && <RequestEditor request={made.request} draft={draft} change={change} onRun={runIt} />}
        {pane === "code" && <Code call={made.request} />}
        {pane === "history" && <History view={historyName(table)} />}
      </div>
    </div>
  );
}

const historyName = (table: TableDescription) => "query " + table.TableName;

function sourceOf(table: TableDescription, draft: Draft): Source {
  const all = sourcesOf(table);
  return all.find((s) => (s.index ?? "") === draft.index) ?? all[0]!;
}

function make(table: TableDescription, source: Source, draft: Draft): { request?: Request; error: string } {
  try {
    return { request: requestOfDraft(table, source, draft), error: "" };
  } catch (e) {
    return { error: explain(e) };
  }
}

function segmentsOf(request: Request): number {
  return (request.input as { TotalSegments?: number }).TotalSegments ?? 1;
}

// withoutSegment is a request for all segments.
function withoutSegment(request: Request): Request {
  const { Segment: _, TotalSegments: __, ...input } = request.input as { Segment?: number; TotalSegments?: number };
  return { operation: request.operation, input };
}

function sentence(request: Request, source: Source, condition: string | undefined): string {
  const { TableName, IndexName } = request.input as { TableName?: string; IndexName?: string };
  const of = IndexName ?? source.index ?? TableName ?? "";
  if (request.operation === "Scan") return t("plan.scan", { source: of });
  return condition ? t("plan.queryBy", { source: of, condition }) : t("plan.query", { source: of });
}

// RequestEditor shows the request, and takes one that is written by hand.
function RequestEditor({ request, draft, change, onRun }: { request: Request | undefined; draft: Draft; change: (to: Partial<Draft>) => void; onRun: () => void }) {
  const text = draft.request || (request ? JSON.stringify(request.input, null, 2) : "");
  return (
    <div class="request">
      <p class="muted">{t("query.requestHint")}{request && segmentsOf(request) > 1 && !draft.request ? " " + t("query.segmentHint", { count: segmentsOf(request) }) : ""}</p>
      <Editor
        label={t("query.request")}
        language="json"
        value={text}
        onChange={(to) => to !== text && change({ request: to })}
        onRun={onRun}
      />
    </div>
  );
}

// Result shows the items that the request has returned so far.
function Result({ table, source, run }: { table: TableDescription; source: Source; run: Run }) {
  const keys = table.KeySchema.map((k) => k.AttributeName);
  const columns = useColumns(table.TableName, [...new Set([...source.keys.map((k) => k.AttributeName), ...keys])], run.items);
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState<Item>();
  useEffect(() => setOpened(undefined), [run.request]);
  if (!run.request) return <Empty title={t("query.notRun")}><p>{t("query.notRunHint")}</p></Empty>;
  const shown = columns.columns.filter((c) => run.items.length === 0 || columns.all.find((one) => one.name === c.id)!.count > 0);
  return (
    <>
      <Problem text={run.error} />
      <div class="split">
        {run.items.length === 0 && !run.reading ? (
          run.error ? <div class="empty" /> : <Empty title={run.cost.returned > 0 ? t("query.counted", { count: run.cost.returned }) : t("items.none")} />
        ) : (
          <Grid
            label={t("query.items")}
            rows={run.items}
            columns={shown}
            rowKey={(_, at) => String(at)}
            active={active}
            onActive={setActive}
            onOpen={(item) => keys.every((k) => attribute(item, k)) && setOpened(keyOf(table.KeySchema, item))}
            onResize={columns.resize}
          />
        )}
        {opened && <ItemPanel table={table} itemKey={opened} loaded={[]} entity={() => ""} onClose={() => setOpened(undefined)} />}
      </div>
      <div class="status" role="status">
        <span>{t("items.all", { count: run.cost.returned })}</span>
        <span>{t("items.scanned", { count: run.cost.evaluated })}</span>
        <span>{t("items.units", { units: String(run.cost.units) })}</span>
        <span>{t("query.pages", { count: run.cost.pages })}</span>
        {run.reading && <span>{t("common.loading")}</span>}
        <span class="actions">
          <ExportButton table={table} request={withoutSegment(run.request)} columns={shown.map((c) => c.id)} />
          {run.reading && <Button kind="quiet" onClick={run.stop}>{t("query.stop")}</Button>}
          {!run.reading && !run.done && <Button onClick={run.more}><Icon name="down" />{t("query.more")}</Button>}
        </span>
      </div>
    </>
  );
}
