// Design plans a table for models and patterns while one writes them: its keys and indexes with items of
// each model, what each pattern costs, what a change does to the plan, and the proof.

import { useEffect, useRef, useState } from "preact/hooks";
import { designFrom, exampleDesign, planDesign, type DesignPlan } from "../api/design";
import { explain, loadFile } from "../api/dynamodb";
import { Button, Choice, Empty, Problem } from "../components/controls";
import { Editor } from "../components/editor";
import { toast } from "../components/toast";
import { t } from "../i18n";
import { usePaused } from "../state/plan";
import { navigate } from "../state/route";
import { writable } from "../state/session";
import { kept } from "../state/settings";
import { loadTables } from "../state/tables";
import { save } from "../transfer/export";
import { Changes } from "./design/changes";
import { Patterns } from "./design/patterns";
import { Picture } from "./design/picture";
import { Proof } from "./design/proof";

const text = kept<string>("design", "");

const panes = ["picture", "patterns", "changes", "proof"] as const;
type Pane = (typeof panes)[number];

export default function Design() {
  const [pane, setPane] = useState<Pane>("picture");
  const [error, setError] = useState("");
  const { plan, before, problem } = usePlan(text.value);
  useEffect(() => {
    if (text.value === "") exampleDesign().then((one) => (text.value ||= one), (e: unknown) => setError(explain(e)));
  }, []);
  const open = async (file: File | undefined) => {
    if (!file) return;
    try {
      const given = await file.text();
      text.value = /\.ya?ml$/i.test(file.name) ? given : await designFrom(given);
      setError("");
    } catch (e) {
      setError(explain(e));
    }
  };
  const create = async () => {
    try {
      await loadFile("design.yaml", text.value);
      await loadTables();
      toast(t("create.loaded"));
      navigate(["tables", plan!.table]);
    } catch (e) {
      setError(explain(e));
    }
  };
  return (
    <section
      class="page design"
      onDragOver={(e) => e.preventDefault()}
      onDrop={(e) => {
        e.preventDefault();
        void open(e.dataTransfer?.files[0]);
      }}
    >
      <header class="pagehead">
        <h1>{t("design.title")}</h1>
        {plan && <span class="muted">{t("design.sum", { table: plan.table, dollars: plan.dollars.toFixed(2) })}</span>}
        <div class="actions">
          <label class="button">
            {t("design.open")}
            <input type="file" class="unseen" accept=".yaml,.yml,.json" aria-label={t("design.openHint")} onChange={(e) => void open(e.currentTarget.files?.[0])} />
          </label>
          <Button onClick={() => save(new Blob([text.value], { type: "text/yaml" }), "design.yaml")}>{t("design.save")}</Button>
          <Button kind="primary" disabled={!plan || !writable.value} onClick={() => void create()}>{t("design.create")}</Button>
        </div>
      </header>
      <Problem text={error} />
      <div class="split query">
        <div class="query-form design-text">
          <Editor label={t("design.text")} language="text" value={text.value} onChange={(to) => (text.value = to)} />
          <p class={problem ? "plan-line error" : "plan-line"} role="status">{problem || t("design.planned")}</p>
        </div>
        <div class="query-result">
          <div class="toolbar">
            <Choice label={t("query.pane")} value={pane} options={panes.map((one) => ({ value: one, text: t(`design.${one}`) }))} onChange={setPane} />
          </div>
          {plan ? <PaneOf pane={pane} plan={plan} before={before} text={text.value} /> : <Empty title={t("design.none")}><p>{t("design.noneHint")}</p></Empty>}
        </div>
      </div>
    </section>
  );
}

function PaneOf({ pane, plan, before, text }: { pane: Pane; plan: DesignPlan; before: DesignPlan | undefined; text: string }) {
  switch (pane) {
    case "picture":
      return <Picture plan={plan} />;
    case "patterns":
      return <Patterns plan={plan} />;
    case "changes":
      return <Changes before={before} after={plan} />;
    case "proof":
      return <Proof key={text} text={text} />;
  }
}

// usePlan plans the text when the writing pauses. before is the plan that the page began with.
function usePlan(text: string): { plan: DesignPlan | undefined; before: DesignPlan | undefined; problem: string } {
  const [state, setState] = useState<{ plan?: DesignPlan; problem: string }>({ problem: "" });
  const before = useRef<DesignPlan | undefined>(undefined);
  const paused = usePaused(text);
  useEffect(() => {
    if (paused === "") return;
    const ends = new AbortController();
    planDesign(paused, ends.signal).then((plan) => {
      before.current ??= plan;
      setState({ plan, problem: "" });
    }, (e: unknown) => !ends.signal.aborted && setState((s) => ({ ...s, problem: explain(e) })));
    return () => ends.abort();
  }, [paused]);
  return { plan: state.plan, before: before.current, problem: state.problem };
}
