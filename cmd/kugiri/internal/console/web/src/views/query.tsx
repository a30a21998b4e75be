// QueryView builds a Query or Scan of a table, says what it will cost, and runs it.

import { useState } from "preact/hooks";
import { noCost } from "../api/cost";
import { Code } from "../components/code";
import { Button, Choice } from "../components/controls";
import { History } from "../components/history";
import { copy } from "../components/toast";
import { t } from "../i18n";
import { adviceFor } from "../state/advice";
import { useRunKey } from "../state/run_key";
import type { TableViewProps } from "./props";
import { Builder } from "./query/builder";
import { Explanation } from "./query/explanation";
import { RequestEditor } from "./query/request_editor";
import { Result } from "./query/result";
import { historyName, useQuery, type QueryState } from "./query/use_query";

const panes = ["items", "explanation", "request", "code", "history"] as const;
type Pane = (typeof panes)[number];

export default function QueryView({ table }: TableViewProps) {
  const query = useQuery(table);
  const [pane, setPane] = useState<Pane>("items");
  const run = () => {
    if (query.run() && pane !== "explanation") setPane("items");
  };
  useRunKey(run);
  const share = () => {
    query.keep();
    void copy(location.href, t("query.shared"));
  };
  return (
    <div class="split query">
      <Builder query={query} onRun={run} />
      <div class="query-result">
        <div class="toolbar">
          <Choice label={t("query.pane")} value={pane} options={panes.map((one) => ({ value: one, text: t(`query.${one}`) }))} onChange={setPane} />
          <div class="actions">
            <Button icon="link" kind="quiet" label={t("query.share")} onClick={share} />
          </div>
        </div>
        <PaneOf pane={pane} query={query} onRun={run} onOpen={() => setPane("items")} />
      </div>
    </div>
  );
}

interface PaneProps {
  pane: Pane;
  query: QueryState;
  onRun: () => void;
  onOpen: () => void; // a query of the history has been chosen
}

function PaneOf({ pane, query, onRun, onOpen }: PaneProps) {
  switch (pane) {
    case "items":
      return <Result table={query.table} source={query.source} run={query.result} />;
    case "explanation":
      return <Explained query={query} />;
    case "request":
      return <RequestEditor query={query} onRun={onRun} />;
    case "code":
      return <Code call={query.request} />;
    case "history":
      return <History view={historyName(query.table)} onKeep={query.keep} onOpen={onOpen} />;
  }
}

function Explained({ query }: { query: QueryState }) {
  const { table, source, draft, request, before, after } = query;
  const advice = request ? adviceFor({ table, source, draft, request, cost: after ?? before ?? noCost }) : [];
  return <Explanation reads={query.reads} plan={query.plan} before={before} after={after} advice={advice} onApply={(a) => query.change(a.change ?? {})} />;
}
