// History lists the queries that have a name, and what was run lately, with links that show it again.

import { useState } from "preact/hooks";
import { moment, t } from "../i18n";
import { forget, historyOf } from "../state/history";
import { saveAs, savedOf, unsave, type Saved } from "../state/saved";
import { Button, TextField } from "./controls";
import { copy } from "./toast";

interface Props {
  view: string;
  onKeep: () => void; // writes what is shown into the address
  onOpen?: () => void; // an entry has been chosen
}

export function History({ view, onKeep, onOpen }: Props) {
  const entries = historyOf(view);
  const saved = savedOf(view);
  const [name, setName] = useState("");
  return (
    <div class="scroll history" tabIndex={0} role="region" aria-label={t("history.title")}>
      <form
        class="row-form"
        onSubmit={(e) => {
          e.preventDefault();
          if (name.trim() === "") return;
          onKeep();
          saveAs(view, name.trim());
          setName("");
        }}
      >
        <TextField label={t("saved.name")} hideLabel placeholder={t("saved.name")} value={name} onInput={setName} />
        <Button type="submit" disabled={name.trim() === ""}>{t("saved.save")}</Button>
      </form>
      {saved.length > 0 && (
        <section>
          <h2>{t("saved.title")}</h2>
          <ul class="list" aria-label={t("saved.title")}>
            {saved.map((one) => <SavedQuery key={one.name} saved={one} onOpen={onOpen} />)}
          </ul>
        </section>
      )}
      {entries.length === 0 ? <p class="muted">{t("history.none")}</p> : (
        <section>
          <h2>{t("history.title")}</h2>
          <ul class="list" aria-label={t("history.title")}>
            {entries.map((e) => (
              <li key={e.address}>
                <a href={e.address} onClick={onOpen}>
                  <span class="mono">{e.text}</span>
                  <time class="muted">{moment(e.at)}</time>
                </a>
              </li>
            ))}
          </ul>
          <Button icon="erase" kind="quiet" onClick={() => forget(view)}>{t("history.clear")}</Button>
        </section>
      )}
    </div>
  );
}

function SavedQuery({ saved, onOpen }: { saved: Saved; onOpen: (() => void) | undefined }) {
  const { view, name, address } = saved;
  return (
    <li class="line">
      <a href={address} onClick={onOpen}>{name}</a>
      <Button icon="link" kind="quiet" label={t("saved.copy", { name })} onClick={() => void copy(location.href.replace(/#.*$/, "") + address, t("query.shared"))} />
      <Button icon="trash" kind="quiet" label={t("saved.remove", { name })} onClick={() => unsave(view, name)} />
    </li>
  );
}
