// Proof verifies a plan with generated items, undoes each of its decisions to see that the proof notices
// it, and sends the load of the design.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { proveDesign, type DesignLoad, type DesignProof } from "../../api/design";
import { explain } from "../../api/dynamodb";
import { Badge, Button, Check, Problem } from "../../components/controls";
import { count, decimal, t } from "../../i18n";
import { kept } from "../../state/settings";

const live = kept<boolean>("design.live", false);

type What = "verify" | "load";

/** Proof is of a text that has a plan. */
export function Proof({ text }: { text: string }) {
  const [proof, setProof] = useState<DesignProof>({});
  const [running, setRunning] = useState<What>();
  const wanted = useRef<What | undefined>(undefined); // what runs, for what comes later than it is drawn
  const [error, setError] = useState("");
  const ends = useRef(new AbortController());
  useLayoutEffect(() => () => ends.current.abort(), []); // who leaves the view waits for nothing
  const begin = (what: What | undefined) => setRunning((wanted.current = what));
  const run = async (what: What) => {
    ends.current.abort();
    const { signal } = (ends.current = new AbortController());
    begin(what);
    setError("");
    setProof((before) => (what === "verify" ? { ...(before.load ? { load: before.load } : {}) } : { ...before, rows: 0 }));
    try {
      await proveDesign(what, text, (part) => !signal.aborted && setProof((before) => ({ ...before, ...part })), signal);
    } catch (e) {
      if (!signal.aborted) setError(explain(e));
    }
    if (!signal.aborted) begin(undefined);
  };
  const stop = () => {
    ends.current.abort();
    begin(undefined);
  };
  useEffect(() => { // another plan: what ran was of the one before, and begins again
    const again = wanted.current ?? (live.value ? "verify" : undefined);
    setProof({});
    begin(undefined);
    if (again) void run(again);
    return () => ends.current.abort();
  }, [text]);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("design.proof")}>
      <div class="actions start">
        <Button kind="primary" disabled={running !== undefined} onClick={() => void run("verify")}>{t("design.verify")}</Button>
        <Button disabled={running !== undefined} onClick={() => void run("load")}>{t("design.load")}</Button>
        <Button disabled={running === undefined} onClick={stop}>{t("query.stop")}</Button>
        <Check label={t("design.live")} checked={live.value} onChange={(on) => { live.value = on; if (on) void run("verify"); }} />
      </div>
      <Running what={running} proof={proof} />
      <Problem text={error} />
      {proof.report && <Verified proof={proof} />}
      {proof.load && <Loaded load={proof.load} />}
    </div>
  );
}

// Running says how far it is. It is there also when nothing runs, so that screen readers hear the change.
function Running({ what, proof }: { what: What | undefined; proof: DesignProof }) {
  const text = what === undefined ? "" : what === "load" ? t("design.loading") : t(proof.report ? "design.undoing" : "design.verifying");
  return <p role="status" class="muted">{text}{what && proof.rows ? " " + t("design.stored", { count: proof.rows }) : ""}</p>;
}

function Verified({ proof }: { proof: DesignProof }) {
  const { Patterns, Writes, Failures, Rows } = proof.report!;
  const mutations = proof.mutations ?? [];
  const items = Object.values(Rows).reduce((sum, n) => sum + n, 0);
  return (
    <section class="part" aria-label={t("design.verified")}>
      <h2>{t("design.verified")}</h2>
      <p class="muted">{t("design.withItems", { count: items })}</p>
      {Patterns.map((p) => (
        <div key={p.Name} class="part-line">
          <Badge tone={p.Failures?.length ? "bad" : "good"}>{t(p.Failures?.length ? "design.fails" : "design.holds")}</Badge>
          <strong>{p.Name}</strong>
          <span class="muted">{t("design.readOf", { requests: count(p.Requests), items: count(p.Items), units: decimal(p.ReadUnits, 1), planned: decimal(p.Planned, 1) })}</span>
          {(p.Failures ?? []).map((one) => <p key={one} class="hint error">{one}</p>)}
        </div>
      ))}
      {(Writes ?? []).map((w) => (
        <div key={w.Name} class="part-line">
          <Badge tone={w.Failures?.length ? "bad" : "good"}>{t(w.Failures?.length ? "design.fails" : "design.holds")}</Badge>
          <strong>{w.Name}</strong>
          <span class="muted">{t("design.twoAtATime", { count: w.Orders, requests: w.Requests })}</span>
          {(w.Untried ?? []).map((one) => <p key={one} class="hint">{t("design.notAllOrders", { which: one })}</p>)}
          {(w.Failures ?? []).map((one) => <p key={one} class="hint error">{one}</p>)}
        </div>
      ))}
      {(Failures ?? []).map((one) => <Problem key={one} text={one} />)}
      {mutations.length > 0 && <p>{t("design.noticed", { count: mutations.filter((m) => m.Found).length, total: mutations.length })}</p>}
      {mutations.filter((m) => !m.Found).map((m) => <Problem key={m.Name} text={m.Name} />)}
    </section>
  );
}

function Loaded({ load }: { load: DesignLoad }) {
  return (
    <section class="part" aria-label={t("design.load")}>
      <h2>{t("design.load")}</h2>
      {[...(load.Patterns ?? []), ...(load.Writes ?? [])].map((one, i) => (
        <div key={i} class="part-line">
          <Badge tone={one.Throttled > 0 ? "bad" : "good"}>{one.Throttled > 0 ? t("design.throttled", { count: one.Throttled }) : t("design.fine")}</Badge>
          <strong>{one.Name}</strong>
          <span class="muted">{t("design.requests", { count: one.Requests })}</span>
        </div>
      ))}
    </section>
  );
}
