// Builder is the form of a query, with what its plan says and the button that runs it.

import { Button } from "../../components/controls";
import { t } from "../../i18n";
import { QueryForm } from "./form";
import type { QueryState } from "./use_query";

export function Builder({ query, onRun }: { query: QueryState; onRun: () => void }) {
  const { draft, change } = query;
  return (
    <form
      class="query-form"
      onSubmit={(e) => {
        e.preventDefault();
        onRun();
      }}
    >
      <fieldset class="query-fields" disabled={draft.request !== ""}>
        <QueryForm table={query.table} source={query.source} draft={draft} paths={query.paths} change={change} />
      </fieldset>
      <footer>
        {draft.request && (
          <p class="hint">
            {t("query.byHand")} <Button onClick={() => change({ request: "" })}>{t("query.backToForm")}</Button>
          </p>
        )}
        <PlanLine query={query} />
        <Button type="submit" kind="primary" disabled={!query.request}>{t("query.run")}</Button>
      </footer>
    </form>
  );
}

function PlanLine({ query: { problem, reads, before } }: { query: QueryState }) {
  return (
    <p class={problem ? "plan-line error" : "plan-line"} role="status">
      {problem || reads}
      {before && <span class="muted"> {t("plan.line", { evaluated: before.evaluated, returned: before.returned, units: String(before.units) })}</span>}
    </p>
  );
}
