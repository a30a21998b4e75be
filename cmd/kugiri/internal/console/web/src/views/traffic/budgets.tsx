// Budgets: how much the recorded requests may use. They are in the address.

import { useState } from "preact/hooks";
import { Button, TextField } from "../../components/controls";
import { Dialog } from "../../components/dialog";
import { decimal, t } from "../../i18n";
import { route, setQuery } from "../../state/route";

const limited = ["requests", "readUnits", "writeUnits"] as const;
type Limited = (typeof limited)[number];

interface FigureProps {
  name: Limited | "errors" | "throttled";
  used: number;
  budget?: boolean; // there may be one
  bad?: boolean; // none would be best
}

/** A number, with the share of its budget that is used. */
export function Figure({ name, used, budget, bad }: FigureProps) {
  const most = budget ? Number(route.value.query.get(name) ?? 0) : 0;
  const tone = (most > 0 && used > most) || (bad && used > 0) ? "bad" : "";
  return (
    <div class={tone}>
      <dt>{t(`traffic.${name}`)}</dt>
      <dd>
        {most > 0 ? t("traffic.used", { count: decimal(used, 1), total: decimal(most, 1) }) : decimal(used, 1)}
        {most > 0 && <Share of={used / most} label={t("traffic.budgetOf", { column: t(`traffic.${name}`) })} />}
      </dd>
    </div>
  );
}

/** A bar whose filled part is a share, 0 to 1. */
export function Share({ of, label }: { of: number; label: string }) {
  const percent = Math.round(of * 100);
  return (
    <span class={`share ${of > 1 ? "over" : ""}`} role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.min(percent, 100)} aria-valuetext={`${percent} %`}>
      <span style={{ width: `${Math.min(percent, 100)}%` }} />
    </span>
  );
}

/** A dialog in which budgets are set. */
export function Budgets({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState<{ [name: string]: string | undefined }>(Object.fromEntries(limited.map((n) => [n, route.value.query.get(n) ?? ""])));
  const wrong = (text: string | undefined) => !!text && !(Number(text) > 0 && Number.isFinite(Number(text)));
  const submit = (e: Event) => {
    e.preventDefault();
    if (!limited.some((n) => wrong(typed[n]))) setQuery({ ...typed, budgets: undefined }, true);
  };
  return (
    <Dialog title={t("traffic.budgets")} onClose={onClose}>
      <form onSubmit={submit}>
        <p class="muted">{t("traffic.budgetsHint")}</p>
        {limited.map((n, i) => (
          <TextField
            key={n}
            label={t(`traffic.${n}`)}
            value={typed[n] ?? ""}
            error={wrong(typed[n]) ? t("traffic.wrongBudget") : ""}
            onInput={(text) => setTyped({ ...typed, [n]: text.trim() })}
            autofocus={i === 0}
          />
        ))}
        <footer>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" kind="primary">{t("traffic.setBudgets")}</Button>
        </footer>
      </form>
    </Dialog>
  );
}
