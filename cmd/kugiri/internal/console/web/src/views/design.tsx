// Design plans a table for models and patterns while one writes them, in forms or as YAML: its keys and
// indexes with items of each model, what each pattern costs, what a change does to the plan, and the proof.

import { useEffect, useState } from "preact/hooks";
import { designValues, planDesign, type DesignChange, type DesignPlan } from "../api/design";
import { explain, loadFile } from "../api/dynamodb";
import { Button, Choice, Empty, Problem } from "../components/controls";
import { Editor } from "../components/editor";
import { toast } from "../components/toast";
import { t } from "../i18n";
import { askToSave, beginDesign, canSave, changeDesign, design, designError, designFile, downloadDesign, isSaved, notWritten, openDesign, saveDesign, saveDesignAs, taken, undoable, undoDesign, wholeDesign, type Shown as Said } from "../state/design";
import { usePaused } from "../state/plan";
import { navigate } from "../state/route";
import { writable } from "../state/session";
import { kept } from "../state/settings";
import { loadTables } from "../state/tables";
import { Changes, difference } from "./design/changes";
import { Models } from "./design/models";
import { PatternForms } from "./design/pattern_forms";
import { hueIn, Picture } from "./design/picture";
import { Proof } from "./design/proof";
import { Queries } from "./design/queries";

const writing = ["models", "patterns", "yaml"] as const;
const writes = kept<(typeof writing)[number]>("design.writes", "models");

const panes = ["picture", "queries", "changes", "proof"] as const;
type Pane = (typeof panes)[number];

type Dropped = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };

export default function Design() {
  const plans = usePlans(design.value);
  useEffect(() => void beginDesign(), []);
  return (
    <section
      class="page design"
      onDragOver={(e) => e.preventDefault()}
      onDrop={(e) => {
        e.preventDefault();
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur(); // what is typed there is for the design before
        const dropped = e.dataTransfer?.items[0] as Dropped | undefined;
        void openDesign(e.dataTransfer?.files[0], dropped?.getAsFileSystemHandle?.().catch(() => null));
      }}
    >
      <Head plan={plans.plan} planned={plans.planned} />
      <Problem text={designError.value} />
      <Problem text={notWritten.value}>
        <Button onClick={() => void askToSave()}>{t("design.ask")}</Button>
        <Button onClick={() => void saveDesignAs()}>{t("design.saveAs")}</Button>
      </Problem>
      <Taken />
      <div class="split query">
        <Writing plans={plans} />
        <Shown plans={plans} />
      </div>
    </section>
  );
}

// Taken says what of a model that was opened is in the design, and what is not, until somebody has seen it.
function Taken() {
  const draft = taken.value;
  if (!draft) return null;
  const left = draft.left ?? [];
  return (
    <section class="taken" role="status" aria-label={t("design.takenLabel")}>
      <p>
        {t("design.taken", { models: draft.models, patterns: draft.patterns })} {draft.checks > 0 && t("design.checks", { count: draft.checks })}
      </p>
      <Button icon="close" kind="quiet" label={t("design.seen")} onClick={() => (taken.value = undefined)} />
      {left.length > 0 && (
        <details open>
          <summary>{t("design.left", { count: left.length })}</summary>
          <div class="scrolled" tabIndex={0} role="group" aria-label={t("design.left", { count: left.length })}>
            <ul>{left.map((one) => <li key={one}>{one}</li>)}</ul>
          </div>
        </details>
      )}
    </section>
  );
}

// Head creates the table that is shown: not while the text has something else.
function Head({ plan, planned }: { plan: DesignPlan | undefined; planned: string }) {
  const create = async () => {
    try {
      await loadFile("design.yaml", await wholeDesign());
      await loadTables();
      toast(t("create.loaded"));
      navigate(["tables", plan!.table]);
    } catch (e) {
      designError.value = explain(e);
    }
  };
  return (
    <header class="pagehead">
      <h1>{t("design.title")}</h1>
      {plan && <span class="muted">{t("design.sum", { table: plan.table, dollars: plan.dollars.toFixed(2) })}</span>}
      <div class="actions">
        <Button disabled={!undoable()} onClick={() => void undoDesign()}>{t("design.undo")}</Button>
        <label class="button">
          {t("design.open")}
          <input type="file" class="unseen" accept=".yaml,.yml,.json" aria-label={t("design.openHint")} onClick={(e) => (e.currentTarget.value = "")} onChange={(e) => void openDesign(e.currentTarget.files?.[0])} />
        </label>
        {canSave() && <Button disabled={isSaved()} title={designFile.value} onClick={() => void saveDesign()}>{t(isSaved() ? "design.saved" : "design.saveFile")}</Button>}
        <Button onClick={() => void downloadDesign()}>{t("design.save")}</Button>
        <Button kind="primary" disabled={!plan || planned !== design.value || !writable.value} onClick={() => void create()}>{t("design.create")}</Button>
      </div>
    </header>
  );
}

// Writing has the forms, or the text. A form shows the text as it is, and is off while that is no YAML.
function Writing({ plans: { plan, last, problem } }: { plans: Plans }) {
  const { shown, fault } = useValues(design.value);
  const values = shown?.values;
  const hue = (model: string) => (plan ? hueIn(plan, model) : "");
  const change = (...changes: DesignChange[]) => changeDesign(shown!, ...changes);
  const delta = last && plan ? difference(last, plan) : "";
  return (
    <div class="query-form design-text">
      <div class="toolbar">
        <Choice label={t("design.write")} value={writes.value} options={writing.map((one) => ({ value: one, text: t(`design.${one}`) }))} onChange={(to) => (writes.value = to)} />
      </div>
      {writes.value === "yaml" && <Editor label={t("design.text")} language="text" value={design.value} onChange={(to) => (design.value = to)} />}
      {writes.value !== "yaml" && values && (
        <fieldset class="design-form" disabled={fault !== ""} aria-label={t(`design.${writes.value}`)}>
          {writes.value === "models" ? <Models values={values} hue={hue} change={change} /> : <PatternForms values={values} plan={plan} hue={hue} change={change} />}
        </fieldset>
      )}
      <p class={problem || fault ? "plan-line error" : "plan-line"} role="status">{fault || problem || (delta ? t("design.lastChange", { delta }) : t("design.planned"))}</p>
    </div>
  );
}

function Shown({ plans: { plan, planned, first, last, problem } }: { plans: Plans }) {
  const [pane, setPane] = useState<Pane>("picture");
  return (
    <div class="query-result">
      <div class="toolbar">
        <Choice label={t("query.pane")} value={pane} options={panes.map((one) => ({ value: one, text: t(`design.${one}`) }))} onChange={setPane} />
      </div>
      {plan && problem && <p class="hint stale">{t("design.stale")}</p>}
      {!plan && <Empty title={t("design.none")}><p>{t("design.noneHint")}</p></Empty>}
      {plan && pane === "picture" && <Picture plan={plan} />}
      {plan && pane === "queries" && <Queries plan={plan} />}
      {plan && pane === "changes" && <Changes first={first} last={last} after={plan} />}
      {plan && pane === "proof" && <Proof text={planned} />}
    </div>
  );
}

interface Plans {
  plan: DesignPlan | undefined;
  planned: string; // the text that plan is of
  last: DesignPlan | undefined; // the plan before it
  first: DesignPlan | undefined; // the plan that the page began with
  problem: string;
}

// usePlans plans the text when the writing pauses.
function usePlans(text: string): Plans {
  const [plans, setPlans] = useState<Plans>({ plan: undefined, planned: "", last: undefined, first: undefined, problem: "" });
  const paused = usePaused(text);
  useEffect(() => {
    if (paused === "") return;
    const ends = new AbortController();
    planDesign(paused, ends.signal).then(
      (plan) => !ends.signal.aborted && setPlans((p) => ({ plan, planned: paused, last: p.planned === paused ? p.last : p.plan, first: p.first ?? plan, problem: "" })),
      (e: unknown) => !ends.signal.aborted && setPlans((p) => ({ ...p, problem: explain(e) })),
    );
    return () => ends.abort();
  }, [paused]);
  return plans;
}

// useValues reads what the forms show. It keeps the last ones while the text is no YAML.
function useValues(text: string): { shown: Said | undefined; fault: string } {
  const [state, setState] = useState<{ shown?: Said; fault: string }>({ fault: "" });
  useEffect(() => {
    if (text === "") return;
    const ends = new AbortController();
    designValues(text, ends.signal).then(
      (values) => !ends.signal.aborted && setState({ shown: { text, values }, fault: "" }),
      (e: unknown) => !ends.signal.aborted && setState((s) => ({ ...s, fault: explain(e) })),
    );
    return () => ends.abort();
  }, [text]);
  return { shown: state.shown, fault: state.fault };
}
