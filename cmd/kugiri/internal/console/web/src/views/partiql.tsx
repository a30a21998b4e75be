// PartiQLView runs statements of PartiQL: one by one, as a batch or as a transaction. It says before
// what they will cost.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Call } from "../api/code";
import { explain } from "../api/dynamodb";
import { splitStatements, type Statement } from "../api/partiql";
import type { Plan } from "../api/plan";
import { Code } from "../components/code";
import { Button, Choice, Select } from "../components/controls";
import { Editor } from "../components/editor";
import { History } from "../components/history";
import { Keeps, Sendings } from "../components/sendings";
import { copy, toast } from "../components/toast";
import { t } from "../i18n";
import { useAddress } from "../state/address";
import { remember } from "../state/history";
import { identity } from "../state/identity";
import { callsOf, modes, partiqlDraftOf, partiqlQuery, placesIn, targetsOf, type PartiQLDraft } from "../state/partiql";
import { completePartiQL, forgetNames } from "../state/partiql_names";
import { usePlans } from "../state/plan";
import { usePartiQLRun } from "../state/run_partiql";
import { useRunKey } from "../state/run_key";
import { sendings } from "../state/sendings";
import { writable } from "../state/session";
import { tableInfos, tableNames, want } from "../state/tables";
import { Outcomes } from "./partiql/outcomes";
import { ParameterFields } from "./partiql/parameters";
import { Plans } from "./partiql/plans";

const panes = ["items", "explanation", "code", "history"] as const;
type Pane = (typeof panes)[number];

export default function PartiQLView() {
  const { draft, change, keep } = useAddress(partiqlDraftOf, partiqlQuery);
  const made = useMemo(() => make(draft), [draft]);
  const plans = usePlans(made.calls.length ? JSON.stringify(made.calls) : "");
  const run = usePartiQLRun();
  const [ran, setRan] = useState("");
  const [pane, setPane] = useState<Pane>("items");
  useEffect(forgetNames, [identity.value]);
  const targets = targetsOf(made.calls);
  useEffect(() => targets.filter((name) => tableNames.value.includes(name)).forEach(want), [targets.join("\n"), tableNames.value]);
  const tables = new Map(targets.flatMap((name) => (tableInfos.value.get(name) ? [[name, tableInfos.value.get(name)!.table]] : [])));
  const places = placesIn(made.calls, tables);
  const locked = made.statements.some((s) => s.writes) && !writable.value;
  const ready = made.calls.length > 0 && !locked && !run.running;
  const runIt = () => {
    if (!ready) return;
    keep();
    remember("partiql", made.statements.map((s) => s.title).join("; "));
    setRan(JSON.stringify(made.calls));
    run.start(made.statements, made.calls, toast);
    if (pane !== "explanation") setPane("items");
  };
  useRunKey(runIt);
  const problem = made.error || (locked ? t("partiql.readOnly") : plans.error || refusal(plans.plans));
  const line = problem || sum(plans.plans);
  return (
    <section class="page query partiql">
      <header class="pagehead">
        <h1>PartiQL</h1>
        <div class="actions">
          <Button icon="link" kind="quiet" label={t("query.share")} onClick={() => { keep(); void copy(location.href, t("query.shared")); }} />
        </div>
      </header>
      <div class="partiql-editor">
        <Editor
          label={t("partiql.statements")}
          language="partiql"
          value={draft.text}
          placeholder={'SELECT * FROM "orders" WHERE "pk" = ?'}
          onChange={(text) => text !== draft.text && change({ text })}
          onRun={runIt}
          complete={completePartiQL}
          autofocus
        />
        <ParameterFields wanted={made.wanted} parameters={draft.parameters} onChange={(parameters) => change({ parameters })} />
        {targets.length > 0 && tables.size === targets.length && <Keeps keys={places?.length} />}
        <div class="run-line">
          <Choice label={t("partiql.mode")} value={draft.mode} options={modes.map((one) => ({ value: one, text: t(`partiql.${one}`) }))} onChange={(mode) => change({ mode })} />
          <p class={problem ? "plan-line error" : "plan-line"} role="status">{line}</p>
          <Button kind="primary" shortcut="Control+Enter" disabled={!ready} onClick={runIt}>{t("query.run")}</Button>
        </div>
      </div>
      <div class="query-result">
        <div class="toolbar">
          <Choice label={t("query.pane")} value={pane} options={panes.map((one) => ({ value: one, text: t(`query.${one}`) }))} onChange={setPane} />
        </div>
        {pane === "items" && <Outcomes run={run} />}
        {pane === "explanation" && <Plans calls={made.calls} plans={plans.plans} outcomes={ran === JSON.stringify(made.calls) ? run.outcomes : []} />}
        {pane === "code" && <CodeOf calls={made.calls} />}
        {pane === "history" && <History view="partiql" onKeep={() => keep()} />}
        {pane === "items" && run.outcomes.some((one) => one.statement.writes) && <div class="found-sent" tabIndex={0} role="region" aria-label={t("changes.history")}><Sendings list={sendings().filter((one) => one.way === "partiql")} disabled={run.running} /></div>}
      </div>
    </section>
  );
}

interface Made {
  statements: Statement[];
  calls: Call[];
  wanted: number; // parameters
  error: string;
}

function make(draft: PartiQLDraft): Made {
  const statements = splitStatements(draft.text);
  const wanted = statements.reduce((sum, s) => sum + s.parameters, 0);
  try {
    return { ...callsOf(draft), wanted, error: "" };
  } catch (e) {
    return { statements, calls: [], wanted, error: explain(e) };
  }
}

function refusal(plans: Plan[]): string {
  const refused = plans.find((p) => p.error);
  return refused ? `${refused.error}: ${refused.message ?? ""}` : "";
}

// sum says in a line what all plans read, write and consume.
function sum(plans: Plan[]): string {
  if (plans.length === 0) return "";
  const of = (part: (p: Plan) => number) => plans.reduce((all, p) => all + part(p), 0);
  const reads = t(plans.some((p) => p.more) ? "plan.firstPage" : "plan.line", { evaluated: of((p) => p.evaluated), returned: of((p) => p.returned), units: String(of((p) => p.readUnits)) });
  const written = of((p) => p.written);
  return written > 0 ? `${reads} · ${t("partiql.writesLine", { count: written, units: String(of((p) => p.writeUnits)) })}` : reads;
}

// CodeOf shows the code of one request, chosen if there are several.
function CodeOf({ calls }: { calls: Call[] }) {
  const [chosen, setChosen] = useState("0");
  const at = Math.min(Number(chosen), Math.max(0, calls.length - 1));
  return (
    <>
      {calls.length > 1 && (
        <div class="which">
          <Select
            label={t("partiql.statement")}
            hideLabel
            value={String(at)}
            options={calls.map((c, i) => ({ value: String(i), text: (c.input as { Statement: string }).Statement.replace(/\s+/g, " ").slice(0, 100) }))}
            onChange={setChosen}
          />
        </div>
      )}
      <Code call={calls[at]} />
    </>
  );
}
