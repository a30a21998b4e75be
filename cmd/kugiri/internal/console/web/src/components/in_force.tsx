// InForce says on every page what changes what programs see, and ends each with one click. It also
// says that the server is away.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { explain } from "../api/dynamodb";
import { askNow, away, returns } from "../api/http";
import { count, t } from "../i18n";
import { endFaults, forkWithoutPolicy, inForce, leaveFork, setSpeed, speeds } from "../state/in_force";
import { href } from "../state/route";
import { canSwitch, shownScope } from "../state/scope";
import { writable } from "../state/session";
import { instant } from "../state/time";
import { Button } from "./controls";
import { Icon, type IconName } from "./icon";
import { toast } from "./toast";

export function InForce() {
  const now = inForce.value;
  const scope = shownScope.value;
  const run = (work: () => Promise<unknown>) => void work().catch((e: unknown) => toast(explain(e)));
  const hits = now?.faults.reduce((sum, f) => sum + f.hits, 0) ?? 0;
  const speed = speeds.value.get(scope) ?? 0;
  const some = now && (now.faults.length > 0 || scope !== "" || now.clock.held || now.policy);
  return (
    <>
      <Away />
      {some && (
        <section class="in-force" aria-label={t("force.label")}>
          {now.faults.length > 0 && (
            <One icon="fault" tone="bad" to={["faults"]} text={t("force.faults", { count: now.faults.length })} more={hits > 0 ? `${count(hits)} ${t("faults.hits", { count: hits })}` : ""}>
              <Button disabled={!writable.value} onClick={() => run(() => endFaults(scope))}>{t("force.endFaults")}</Button>
            </One>
          )}
          {scope !== "" && (
            <One icon="fork" to={["forks"]} text={t("force.fork")} more={scope}>
              {canSwitch.value && <Button onClick={leaveFork}>{t("force.leave")}</Button>}
            </One>
          )}
          {now.clock.held && (
            <One icon="clock" tone="warn" to={["forks"]} text={t(speed > 0 ? "force.clockMoves" : "force.clock")} more={instant(now.clock.now)}>
              <Button disabled={!writable.value} onClick={() => setSpeed(scope, speed > 0 ? 0 : 1)}>{t(speed > 0 ? "force.holdClock" : "force.runClock")}</Button>
            </One>
          )}
          {now.policy && (
            <One icon="lock" to={["traffic"]} text={t("force.policy")} more="">
              <Button disabled={!writable.value || !canSwitch.value} title={t("force.withoutHint")} onClick={() => run(forkWithoutPolicy)}>{t("force.without")}</Button>
            </One>
          )}
        </section>
      )}
    </>
  );
}

interface OneProps {
  icon: IconName;
  tone?: "bad" | "warn";
  to: string[]; // the view that has more of it
  text: string;
  more: string;
  children: ComponentChildren; // the button that ends it
}

function One({ icon, tone, to, text, more, children }: OneProps) {
  return (
    <div class={`force ${tone ?? ""}`}>
      <Icon name={icon} />
      <a href={href(to)}>{text}</a>
      {more && <span class="mono muted">{more}</span>}
      {children}
    </div>
  );
}

// Away says that the server does not answer, and that it does again.
function Away() {
  const [shown, setShown] = useState(false); // one that is back at once was never away
  const seen = useRef(returns.value);
  useEffect(() => {
    if (!away.value) {
      if (shown && returns.value > seen.current) toast(t("connection.back"));
      seen.current = returns.value;
      return setShown(false);
    }
    const timer = setTimeout(() => setShown(true), patience);
    return () => clearTimeout(timer);
  }, [away.value]);
  return (
    <div class="away" role="status" hidden={!shown}>
      {shown && (
        <>
          <Icon name="warning" />
          <span>{t("connection.away")}</span>
          <Button onClick={askNow}>{t("connection.now")}</Button>
        </>
      )}
    </div>
  );
}

const patience = 400; // milliseconds
