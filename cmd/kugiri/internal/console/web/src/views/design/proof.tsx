// Proof verifies a plan with generated items, undoes each of its decisions to see that the proof notices
// it, and sends the load of the design.

import { useEffect, useRef, useState } from "preact/hooks";
import { loadDesign, verifyDesign, type DesignLoad, type DesignProof } from "../../api/design";
import { explain } from "../../api/dynamodb";
import { Badge, Button, Problem } from "../../components/controls";
import { count, decimal, t } from "../../i18n";

export function Proof({ text }: { text: string }) {
  const [proof, setProof] = useState<DesignProof>();
  const [load, setLoad] = useState<DesignLoad>();
  const [running, setRunning] = useState<"verify" | "load">();
  const [error, setError] = useState("");
  const current = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => current.current?.abort(), []); // who leaves the view waits for nothing
  const run = async (what: "verify" | "load") => {
    const { signal } = (current.current = new AbortController());
    setRunning(what);
    setError("");
    try {
      if (what === "verify") setProof(await verifyDesign(text, signal));
      else setLoad(await loadDesign(text, signal));
    } catch (e) {
      if (!signal.aborted) setError(explain(e));
    }
    setRunning(undefined);
  };
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("design.proof")}>
      <div class="actions start">
        <Button kind="primary" disabled={running !== undefined} onClick={() => void run("verify")}>{t("design.verify")}</Button>
        <Button disabled={running !== undefined} onClick={() => void run("load")}>{t("design.load")}</Button>
        {running && <Button onClick={() => current.current?.abort()}>{t("query.stop")}</Button>}
        <span role="status">{running && t(running === "verify" ? "design.verifying" : "design.loading")}</span>
      </div>
      <Problem text={error} />
      {proof?.report && <Verified proof={proof} />}
      {load && <Loaded load={load} />}
    </div>
  );
}

function Verified({ proof }: { proof: DesignProof }) {
  const { Patterns, Failures, Rows } = proof.report!;
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
      {(Failures ?? []).map((one) => <Problem key={one} text={one} />)}
      <p>{t("design.noticed", { count: mutations.filter((m) => m.Found).length, total: mutations.length })}</p>
      {mutations.filter((m) => !m.Found).map((m) => <Problem key={m.Name} text={m.Name} />)}
    </section>
  );
}

function Loaded({ load: { load } }: { load: DesignLoad }) {
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
