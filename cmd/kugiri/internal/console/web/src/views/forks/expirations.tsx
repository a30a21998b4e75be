// Expirations lists what TTL deletes next, and moves a held clock there.

import { useState } from "preact/hooks";
import type { Expiration } from "../../api/forks";
import { brief } from "../../api/values";
import { Button, Problem } from "../../components/controls";
import { t } from "../../i18n";
import { moveClock } from "../../state/in_force";
import { href } from "../../state/route";
import { scopePath, usePolled } from "../../state/scope";
import { writable } from "../../state/session";
import { instant } from "../../state/time";
import { language } from "../../state/settings";
import { act, type ScopeProps } from "./scope";

const some = 10;
const every = 3000; // milliseconds

export function Expirations(p: ScopeProps) {
  const { now, held } = p.overview.clock;
  const { data, error, refresh } = usePolled<{ expirations: Expiration[] }>(scopePath(p.scope) + "expirations", every);
  const [all, setAll] = useState(false);
  const list = data?.expirations ?? [];
  const jump = (x: Expiration) => act(p, async () => {
    await moveClock(p.scope, { now: new Date(Date.parse(x.time) + 1000).toISOString() }); // it expires when its time is over
    await refresh();
  });
  return (
    <article class="card">
      <h3>{t("expirations.title")}</h3>
      <Problem text={error} />
      {data && list.length === 0 && <p class="muted">{t("expirations.none")}</p>}
      {list.length > 0 && <ul class="entries" aria-label={t("expirations.title")}>
        {list.slice(0, all ? undefined : some).map((x) => (
          <li key={JSON.stringify([x.accessKey, x.region, x.table, x.key])}>
            <span class="when" title={instant(x.time)}>{from(now, x.time)}</span>
            <a class="mono strong" href={href(["tables", x.table], x.accessKey ? { as: `${x.accessKey}@${x.region}` } : {})}>{x.table}</a>
            <span class="mono muted">{Object.values(x.key).map((v) => brief(v, 60)).join(" · ")}</span>
            {held && <span class="tight"><Button kind="quiet" disabled={!writable.value} onClick={() => void jump(x)}>{t("expirations.jump")}</Button></span>}
          </li>
        ))}
      </ul>}
      {list.length > some && !all && <Button kind="quiet" onClick={() => setAll(true)}>{t("value.more", { count: list.length - some })}</Button>}
    </article>
  );
}

const units = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const;

// from says how far a time is from another one, such as "in 3 hours".
function from(now: string, time: string): string {
  const seconds = Math.round((Date.parse(time) - Date.parse(now)) / 1000);
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units[3];
  return new Intl.RelativeTimeFormat(language.value, { numeric: "always" }).format(Math.round(seconds / size), unit);
}
