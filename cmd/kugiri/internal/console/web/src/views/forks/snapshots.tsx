// Snapshots lists the snapshots of the server or of a fork, takes them and goes back to them.

import { useState } from "preact/hooks";
import { admin } from "../../api/admin";
import { Button, TextField } from "../../components/controls";
import { ConfirmByWord } from "../../components/dialog";
import { toast } from "../../components/toast";
import { t } from "../../i18n";
import { href } from "../../state/route";
import { scopePath } from "../../state/scope";
import { writable } from "../../state/session";
import { instant } from "../../state/time";
import { loadTables } from "../../state/tables";
import { MakeFork } from "./head";
import { act, usualOrigin, type ScopeProps } from "./scope";

interface Question {
  kind: "restore" | "remove" | "fork";
  name: string;
}

export function Snapshots(p: ScopeProps) {
  const [name, setName] = useState("");
  const [question, setQuestion] = useState<Question>();
  const path = scopePath(p.scope) + "snapshots";
  const take = () => act(p, async () => {
    await admin("POST", path, { name });
    setName("");
  });
  const off = !writable.value;
  return (
    <article class="card">
      <h3>{t("snapshots.title")}</h3>
      {p.overview.snapshots.length === 0 && <p class="muted">{t("snapshots.none")}</p>}
      {p.overview.snapshots.length > 0 && <ul class="entries" aria-label={t("snapshots.title")}>
        {p.overview.snapshots.map((s) => (
          <li key={s.name}>
            <span class="mono strong">{s.name}</span>
            <span class="muted">{instant(s.time)}</span>
            <span class="tight">
              <a class="button quiet" href={compareHref(p, s.name)}>{t("compare.withNow")}</a>
              <Button icon="fork" kind="quiet" label={t("snapshots.forkOf", { name: s.name })} disabled={off} onClick={() => setQuestion({ kind: "fork", name: s.name })} />
              <Button icon="undo" kind="quiet" label={t("snapshots.restoreOf", { name: s.name })} disabled={off} onClick={() => setQuestion({ kind: "restore", name: s.name })} />
              <Button icon="trash" kind="quiet" label={t("snapshots.removeOf", { name: s.name })} disabled={off} onClick={() => setQuestion({ kind: "remove", name: s.name })} />
            </span>
          </li>
        ))}
      </ul>}
      <form class="row-form" onSubmit={(e) => { e.preventDefault(); void take(); }}>
        <TextField label={t("snapshots.name")} hideLabel placeholder={t("snapshots.name")} value={name} onInput={setName} mono />
        <Button type="submit" disabled={off || !name}>{t("snapshots.take")}</Button>
      </form>
      {question && <Ask {...p} question={question} onClose={() => setQuestion(undefined)} />}
    </article>
  );
}

function compareHref(p: ScopeProps, name: string): string {
  return href(["forks"], { compare: "1", before: usualOrigin(p), beforeAt: name, after: usualOrigin(p) });
}

function Ask({ question: { kind, name }, onClose, ...p }: ScopeProps & { question: Question; onClose: () => void }) {
  if (kind === "fork") return <MakeFork of={p} snapshot={name} onClose={onClose} />;
  const path = `${scopePath(p.scope)}snapshots/${encodeURIComponent(name)}`;
  const run = async () => {
    if (kind === "remove") await admin("DELETE", path);
    else {
      await admin("POST", path + "/restore");
      toast(t("snapshots.restored", { name }));
      await loadTables();
    }
    await p.refresh();
  };
  return (
    <ConfirmByWord
      title={t(kind === "remove" ? "snapshots.removeOf" : "snapshots.restoreOf", { name }) + "?"}
      text={t(kind === "remove" ? "snapshots.removeText" : p.scope ? "snapshots.restoreFork" : "snapshots.restoreServer")}
      word={name}
      action={t(kind === "remove" ? "forks.remove" : "snapshots.restore")}
      run={run}
      onClose={onClose}
    />
  );
}
