// Clock shows the clock of the server or of a fork, and moves one that is held.

import { useEffect, useRef, useState } from "preact/hooks";
import { admin } from "../../api/admin";
import type { Expiration } from "../../api/forks";
import { Badge, Button, Choice, TextField } from "../../components/controls";
import { t } from "../../i18n";
import { scopePath } from "../../state/scope";
import { writable } from "../../state/session";
import { MakeFork } from "./head";
import { act, clockText, type ScopeProps } from "./scope";

const steps = [["1s", "+1 s"], ["1m", "+1 min"], ["1h", "+1 h"], ["24h", "+1 d"], ["720h", "+30 d"]] as const;

const speeds = { hold: 0, "1": 1, "60": 60, "3600": 3600 } as const;
type Speed = keyof typeof speeds;

/** Moves a held clock, and returns how many items expired by that. */
export async function move(scope: string, request: { by: string } | { now: string }): Promise<number> {
  const path = scopePath(scope);
  const { expirations } = await admin<{ expirations: Expiration[] }>("GET", path + "expirations?limit=1000");
  const { now } = await ("by" in request ? admin<{ now: string }>("POST", path + "clock/advance", request) : admin<{ now: string }>("PUT", path + "clock", request));
  return expirations.filter((x) => Date.parse(x.time) < Math.floor(Date.parse(now) / 1000) * 1000).length;
}

export function Clock(p: ScopeProps) {
  const { clock } = p.overview;
  const [moved, setMoved] = useState<number>();
  const go = (request: { by: string } | { now: string }) => act(p, async () => setMoved(await move(p.scope, request)));
  return (
    <article class="card clock">
      <h3>
        {t("clock.title")} <Badge {...(clock.held ? { tone: "warn" as const } : {})}>{t(clock.held ? "clock.isHeld" : "clock.runs")}</Badge>
      </h3>
      <p class="now mono">{clockText(clock.now)}</p>
      {clock.held ? <Held now={clock.now} go={go} moved={moved} /> : <Running {...p} />}
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

function Held({ now, go, moved }: { now: string; go: Go; moved: number | undefined }) {
  const [by, setBy] = useState("");
  const [at, setAt] = useState("");
  const [speed, setSpeed] = useRunning(go);
  const off = !writable.value;
  return (
    <>
      <div class="moves" role="group" aria-label={t("clock.step")}>
        {steps.map(([step, text]) => (
          <Button key={step} disabled={off} onClick={() => void go({ by: step })}>{text}</Button>
        ))}
        <Choice
          label={t("clock.run")}
          value={speed}
          options={[{ value: "hold", text: t("clock.hold") }, { value: "1", text: "1×" }, { value: "60", text: "60×" }, { value: "3600", text: "3600×" }]}
          onChange={(to) => !off && setSpeed(to)}
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

// useRunning moves the clock every second while a speed is chosen and the page is open.
function useRunning(go: Go): [Speed, (speed: Speed) => void] {
  const [speed, setSpeed] = useState<Speed>("hold");
  const latest = useRef(go);
  latest.current = go;
  useEffect(() => {
    if (speed === "hold") return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const next = () => {
      timer = setTimeout(() => void latest.current({ by: `${speeds[speed]}s` }).then(() => !gone && next()), 1000);
    };
    next();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [speed]);
  return [speed, setSpeed];
}
