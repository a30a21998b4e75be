// Builder is the form of a query, with what its plan says and the button that runs it.

import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../components/controls";
import { downToList } from "../../components/to_list";
import { t } from "../../i18n";
import { QueryForm } from "./form";
import type { QueryState } from "./use_query";

export function Builder({ query, onRun }: { query: QueryState; onRun: () => void }) {
  const { draft, change, faults } = query;
  const ref = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => { // what is wrong can be mended at once
    if (faults.length > 0) ref.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [query.refusals]);
  return (
    <form
      ref={ref}
      class="query-form"
      onKeyDown={downToList}
      onSubmit={(e) => {
        e.preventDefault();
        onRun();
      }}
    >
      <fieldset class="query-fields" disabled={draft.request !== ""}>
        <QueryForm table={query.table} source={query.source} draft={draft} paths={query.paths} faults={faults} change={change} pending={query.pending} onPending={query.setPending} />
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

function PlanLine({ query: { problem, faults, reads, before } }: { query: QueryState }) {
  const wrong = problem || faults.map((f) => f.text).join(" ");
  return (
    <p class={wrong ? "plan-line error" : "plan-line"} role="status">
      {wrong || reads}
      {before && !wrong && <span class="muted"> {t(before.more ? "plan.firstPage" : "plan.line", { evaluated: before.evaluated, returned: before.returned, units: String(before.units) })}</span>}
    </p>
  );
}
