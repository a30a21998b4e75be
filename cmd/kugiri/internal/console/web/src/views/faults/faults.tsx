// Faults shows the faults of the server or a fork with their hits, and switches them on and off.

import { useState } from "preact/hooks";
import { admin } from "../../api/admin";
import { explain } from "../../api/dynamodb";
import type { Fault, InjectedFault } from "../../api/forks";
import { Badge, Button, Empty, Problem } from "../../components/controls";
import { count, t } from "../../i18n";
import { endFaults, keepOff, placeOf, refreshInForce, switchedOff } from "../../state/in_force";
import { scopePath, shownScope, usePolled } from "../../state/scope";
import { writable } from "../../state/session";
import { AddFault } from "./add";
import { nameOf, parametersOf, whenOf } from "./form";

const every = 1500; // milliseconds

export default function Faults() {
  const scope = shownScope.value;
  const path = scopePath(scope) + "faults";
  const { data, error, refresh } = usePolled<{ faults: InjectedFault[] }>(path, every);
  const [adding, setAdding] = useState(false);
  const [problem, setProblem] = useState("");
  const of = placeOf(scope);
  const off = data ? switchedOff.value.filter((f) => f.of === of) : []; // nothing moves once it is shown
  // A fault that ends is not shown as on until the list is read again: nobody can end it twice.
  const [ending, setEnding] = useState<string[]>([]);
  // The sign of what is in force comes or goes before the list changes: it moves the list.
  const readAgain = async () => {
    await refreshInForce().catch(() => {}); // the list says what is wrong
    await refresh();
  };
  const run = async (work: () => Promise<unknown>, ends: InjectedFault[] = []) => {
    setEnding(ends.map((f) => f.id));
    try {
      await work();
      setProblem("");
    } catch (e) {
      setProblem(explain(e));
    }
    await readAgain();
    setEnding([]);
  };
  const forget = (fault: Fault) => (switchedOff.value = switchedOff.value.filter((f) => f.of !== of || f.fault !== fault));
  const remove = (f: InjectedFault) => admin("DELETE", `${path}/${f.id}`);
  const listed = data?.faults ?? [];
  const faults = listed.filter((f) => !ending.includes(f.id));
  return (
    <section class="page">
      <header class="pagehead">
        <h1>{t("faults.title")}</h1>
        <Badge>{scope ? t("faults.ofFork", { fork: scope }) : t("faults.ofServer")}</Badge>
        <div class="actions">
          <Button
            disabled={!writable.value || faults.length === 0}
            onClick={() => void run(() => endFaults(scope), faults)}
          >
            {t("faults.allOff")}
          </Button>
          <Button icon="plus" kind="primary" disabled={!writable.value} onClick={() => setAdding(true)}>{t("faults.add")}</Button>
        </div>
      </header>
      <Problem text={problem || error} />
      {data && listed.length + off.length === 0 ? (
        <Empty title={t("faults.none")}><p>{t("faults.noneHint")}</p><Button icon="plus" disabled={!writable.value} onClick={() => setAdding(true)}>{t("faults.addFirst")}</Button></Empty>
      ) : (
        <ul class="scroll faults" aria-label={t("faults.title")}>
          {faults.map((f) => (
            <FaultCard
              key={"on" + f.id}
              fault={f.fault}
              injected={f}
              onSwitch={() => void run(async () => { await remove(f); await refreshInForce().catch(() => {}); keepOff(scope, [f.fault]); }, [f])}
              onRemove={() => void run(() => remove(f), [f])}
            />
          ))}
          {off.map(({ fault }) => (
            <FaultCard
              key={"off" + JSON.stringify(fault)}
              fault={fault}
              onSwitch={() => void run(async () => { await admin("POST", path, fault); await refreshInForce().catch(() => {}); forget(fault); })}
              onRemove={() => forget(fault)}
            />
          ))}
        </ul>
      )}
      {adding && <AddFault path={path} onClose={() => setAdding(false)} onAdded={readAgain} ofFork={scope} />}
    </section>
  );
}

interface CardProps {
  fault: Fault;
  injected?: InjectedFault; // undefined: switched off
  onSwitch: () => void;
  onRemove: () => void;
}

function FaultCard({ fault, injected, onSwitch, onRemove }: CardProps) {
  const name = nameOf(fault);
  const parameters = parametersOf(fault);
  return (
    <li class={`card fault ${injected ? "" : "off"}`}>
      <input type="checkbox" role="switch" aria-label={t("faults.switch", { fault: name })} checked={injected !== undefined} disabled={!writable.value} onChange={onSwitch} />
      <div class="what">
        <h2>
          {name} {parameters && <span class="mono">{parameters}</span>}
        </h2>
        <p class="muted">{whenOf(fault.when) || t("faults.always")}</p>
        {injected?.places && <Places places={injected.places} />}
      </div>
      {injected?.missed && <Badge tone="warn">{t("faults.missed")}</Badge>}
      <span class="hits">{injected ? <><strong>{count(injected.hits)}</strong> {t("faults.hits", { count: injected.hits })}</> : <span class="muted">{t("faults.off")}</span>}</span>
      <Button icon="trash" kind="quiet" label={t("faults.remove", { fault: name })} disabled={!writable.value} onClick={onRemove} />
    </li>
  );
}

// Places says which operations on which tables a fault has hit.
function Places({ places }: { places: NonNullable<InjectedFault["places"]> }) {
  return (
    <ul class="places" aria-label={t("faults.places")}>
      {places.slice(0, 12).map((p) => (
        <li key={`${p.operation} ${p.table}`} class="mono">
          {p.operation ? `${p.operation} ` : ""}
          {p.table} <span class="muted">× {count(p.hits)}</span>
        </li>
      ))}
    </ul>
  );
}
