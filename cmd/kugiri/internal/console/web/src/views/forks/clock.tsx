// Clock shows the clock of the server or of a fork, and moves one that is held.

import { useState } from "preact/hooks";
import { Badge, Button, Choice, TextField } from "../../components/controls";
import { t } from "../../i18n";
import { expiredBy, moveClock, setSpeed, speeds } from "../../state/in_force";
import { writable } from "../../state/session";
import { instant } from "../../state/time";
import { MakeFork } from "./head";
import { act, type ScopeProps } from "./scope";

const steps = [["1s", "+1 s"], ["1m", "+1 min"], ["1h", "+1 h"], ["24h", "+1 d"], ["720h", "+30 d"]] as const;

export function Clock(p: ScopeProps) {
  const { clock } = p.overview;
  const moved = expiredBy.value.get(p.scope);
  const go = (request: { by: string } | { now: string }) => act(p, () => moveClock(p.scope, request));
  return (
    <article class="card clock">
      <h3>
        {t("clock.title")} <Badge {...(clock.held ? { tone: "warn" as const } : {})}>{t(clock.held ? "clock.isHeld" : "clock.runs")}</Badge>
      </h3>
      <p class="now mono">{instant(clock.now)}</p>
      {clock.held ? <Held scope={p.scope} now={clock.now} go={go} moved={moved} /> : <Running {...p} />}
    </article>
  );
}

// Running offers a fork with a held clock: this one cannot be held.
function Running(p: ScopeProps) {
  const [making, setMaking] = useState(false);
  return (
    <>
      <p class="muted">{t("clock.runsHint")}</p>
      <div class="moves"><Button disabled={!writable.value} onClick={() => setMaking(true)}>{t("clock.fork")}</Button></div>
      {making && <MakeFork of={p} clock="held" onClose={() => setMaking(false)} />}
    </>
  );
}

type Go = (request: { by: string } | { now: string }) => Promise<void>;

const rates = { hold: 0, "1": 1, "60": 60, "3600": 3600 } as const;
type Rate = keyof typeof rates;

function Held({ scope, now, go, moved }: { scope: string; now: string; go: Go; moved: number | undefined }) {
  const [by, setBy] = useState("");
  const [at, setAt] = useState("");
  const speed = speeds.value.get(scope) ?? 0;
  const rate = (Object.keys(rates) as Rate[]).find((one) => rates[one] === speed) ?? "hold";
  const off = !writable.value;
  return (
    <>
      <div class="moves" role="group" aria-label={t("clock.step")}>
        {steps.map(([step, text]) => (
          <Button key={step} disabled={off} onClick={() => void go({ by: step })}>{text}</Button>
        ))}
        <Choice
          label={t("clock.run")}
          value={rate}
          options={[{ value: "hold", text: t("clock.hold") }, { value: "1", text: "1×" }, { value: "60", text: "60×" }, { value: "3600", text: "3600×" }]}
          onChange={(to) => !off && setSpeed(scope, rates[to])}
        />
      </div>
      <div class="moves">
        <form onSubmit={(e) => { e.preventDefault(); void go({ by }); }}>
          <TextField label={t("clock.by")} hideLabel placeholder="1h30m" value={by} onInput={setBy} mono />
          <Button type="submit" disabled={off || !by}>{t("clock.advance")}</Button>
        </form>
        <form onSubmit={(e) => { e.preventDefault(); void go({ now: at }); }}>
          <TextField label={t("clock.at")} hideLabel placeholder={now.replace(/\.\d+Z$/, "Z")} value={at} onInput={setAt} mono />
          <Button type="submit" disabled={off || !at}>{t("clock.set")}</Button>
        </form>
      </div>
      <p class="muted" role="status">{moved === undefined ? t("clock.hint") : t("clock.moved", { count: moved })}</p>
    </>
  );
}
