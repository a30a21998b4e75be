// The access key and the region whose tables are shown, and a choice of others.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { identity, setIdentity, type Identity } from "../state/identity";
import { forks } from "../state/scope";
import { kugiri, refreshOverview, session } from "../state/session";
import { Button, TextField } from "./controls";
import { Dialog } from "./dialog";
import { Icon } from "./icon";

export function IdentityPicker() {
  const [open, setOpen] = useState(false);
  const { accessKey, region } = identity.value;
  return (
    <>
      <button
        type="button"
        class="identity"
        aria-haspopup="dialog"
        onClick={() => {
          void refreshOverview().catch(() => {}); // the list is then that of before
          setOpen(true);
        }}
      >
        <Icon name="key" />
        <span>
          <span class="mono">{accessKey || t("identity.own")}</span>
          <span class="muted">{region}</span>
        </span>
        <Icon name="down" />
      </button>
      {open && <IdentityDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function IdentityDialog({ onClose }: { onClose: () => void }) {
  const [own, setOwn] = useState<Identity>(identity.value);
  const choose = (to: Identity) => {
    setIdentity(to);
    onClose();
  };
  return (
    <Dialog title={t("identity.title")} onClose={onClose}>
      <p class="muted">{t("identity.hint")}</p>
      <ul class="list">
        {known().map((n) => (
          <li key={n.accessKey + "@" + n.region}>
            <button type="button" onClick={() => choose(n)}>
              <span class="mono">{n.accessKey}</span>{" "}
              <span class="muted">{n.region}</span>{" "}
              <span class="count">{n.tables === undefined ? t("identity.fork") : t("identity.tables", { count: n.tables })}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        class="row-form"
        onSubmit={(e) => {
          e.preventDefault();
          choose(own);
        }}
      >
        {session.value?.choice && (
          <TextField label={t("identity.accessKey")} value={own.accessKey} onInput={(accessKey) => setOwn({ ...own, accessKey })} mono />
        )}
        <TextField label={t("identity.region")} value={own.region} onInput={(region) => setOwn({ ...own, region })} mono />
        <Button type="submit" kind="primary">{t("identity.use")}</Button>
      </form>
    </Dialog>
  );
}

// known lists what has tables, and the forks.
function known(): (Identity & { tables?: number })[] {
  const o = kugiri.value;
  if (!o || !session.value?.choice) return [];
  const made = forks.value.map((f) => ({ accessKey: f.accessKey, region: identity.value.region }));
  return [...(o.namespaces ?? []).filter((n) => n.accessKey), ...made];
}
