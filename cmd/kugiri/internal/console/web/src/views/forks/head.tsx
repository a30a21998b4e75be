// Head names the server or a fork, and makes forks of it.

import { useState } from "preact/hooks";
import { admin } from "../../api/admin";
import type { Fork } from "../../api/forks";
import { useAnswer } from "../../components/answer";
import { Badge, Button, Problem, Select, TextField } from "../../components/controls";
import { ConfirmByWord, Dialog } from "../../components/dialog";
import { toast } from "../../components/toast";
import { t } from "../../i18n";
import { identity } from "../../state/identity";
import { href, navigate, setQuery } from "../../state/route";
import { canSwitch, forks, shownScope } from "../../state/scope";
import { refreshOverview, session, writable } from "../../state/session";
import { loadTables } from "../../state/tables";
import { origins, usualOrigin, type ScopeProps } from "./scope";

export function Head(p: ScopeProps) {
  const { scope, overview } = p;
  const [asking, setAsking] = useState<"fork" | "remove">();
  const fork = forks.value.find((f) => f.accessKey === scope);
  const tables = (overview.namespaces ?? []).reduce((sum, n) => sum + n.tables, 0);
  return (
    <header class="scopehead">
      <h2 class={scope ? "mono" : ""}>{scope || t("forks.server")}</h2>
      <span class="muted">{[fork && originOf(fork), t("tables.count", { count: tables })].filter(Boolean).join(" · ")}</span>
      {scope === shownScope.value && <Badge tone="good">{t("forks.shown")}</Badge>}
      <div class="actions">
        {scope !== shownScope.value && canSwitch.value && <a class="button" href={tablesOf(scope)}>{t("forks.show")}</a>}
        <Button icon="fork" disabled={!writable.value} onClick={() => setAsking("fork")}>{t("forks.make")}</Button>
        {fork && <Button icon="trash" kind="quiet" label={t("forks.removeOf", { fork: scope })} disabled={!writable.value} onClick={() => setAsking("remove")} />}
      </div>
      {asking === "fork" && <MakeFork of={p} onClose={() => setAsking(undefined)} />}
      {asking === "remove" && <RemoveFork scope={scope} onClose={() => setAsking(undefined)} />}
    </header>
  );
}

function originOf(f: Fork): string {
  const origin = f.from ?? t("forks.seed");
  return t("forks.from", { origin: f.snapshot ? `${origin} @ ${f.snapshot}` : origin });
}

// tablesOf is the address of the tables of a fork, or of those that the page began with.
function tablesOf(scope: string): string {
  if (scope) return href(["tables"], { as: `${scope}@${identity.value.region}` });
  const own = session.value;
  return href(["tables"], { as: `${own?.accessKey ?? ""}@${own?.region ?? ""}` });
}

type Clock = "" | "held";

interface MakeProps {
  of: ScopeProps;
  snapshot?: string;
  clock?: Clock;
  onClose: () => void;
}

/** A dialog that makes a fork, of the server or of a fork. */
export function MakeFork(p: MakeProps) {
  const [name, setName] = useState("");
  const [from, setFrom] = useState(usualOrigin(p.of));
  const snapshots = p.of.overview.snapshots.map((s) => s.name);
  const [snapshot, setSnapshot] = useState(p.snapshot ?? "");
  const [clock, setClock] = useState<Clock>(p.clock ?? "");
  const { error, fail, isOpen } = useAnswer();
  const submit = async (e: Event) => {
    e.preventDefault();
    try {
      await admin("POST", "forks", { accessKey: name, ...(from ? { from } : {}), ...(snapshot ? { snapshot } : {}), ...(clock ? { clock } : {}) });
      await refreshOverview();
      toast(t("forks.made", { fork: name }));
      if (!isOpen()) return;
      p.onClose();
      navigate(["forks"], { scope: name });
    } catch (failed) {
      fail(failed);
    }
  };
  return (
    <Dialog title={t("forks.make")} onClose={p.onClose}>
      <form onSubmit={(e) => void submit(e)}>
        <TextField label={t("forks.name")} hint={t("forks.nameHint")} value={name} onInput={setName} mono autofocus />
        {!p.of.scope && (
          <Select label={t("forks.of")} value={from} options={[...origins(p.of).map((k) => ({ value: k, text: k })), { value: "", text: t("forks.seed") }]} onChange={setFrom} />
        )}
        {snapshots.length > 0 && (
          <Select
            label={t("forks.state")}
            value={snapshot}
            options={[{ value: "", text: t("forks.now") }, ...snapshots.map((s) => ({ value: s, text: s }))]}
            onChange={setSnapshot}
          />
        )}
        <Select
          label={t("clock.title")}
          value={clock}
          options={[{ value: "", text: t("clock.asOrigin") }, { value: "held", text: t("clock.held") }]}
          onChange={(to) => setClock(to)}
        />
        <Problem text={error} />
        <footer>
          <Button onClick={p.onClose}>{t("common.cancel")}</Button>
          <Button type="submit" kind="primary" disabled={!name}>{t("forks.makeIt")}</Button>
        </footer>
      </form>
    </Dialog>
  );
}

function RemoveFork({ scope, onClose }: { scope: string; onClose: () => void }) {
  const run = async () => {
    const shown = scope === shownScope.value;
    await admin("DELETE", `forks/${encodeURIComponent(scope)}`);
    await refreshOverview();
    toast(t("forks.removed", { fork: scope }));
    setQuery({ scope: "server", ...(shown ? { as: undefined } : {}) });
    await loadTables();
  };
  return (
    <ConfirmByWord title={t("forks.removeTitle", { fork: scope })} text={t("forks.removeText")} word={scope} action={t("forks.remove")} run={run} onClose={onClose} />
  );
}
