// What is in force of the tables that are shown, and changes what programs see: faults, a fork, a held
// clock, a policy. The page asks for it while somebody looks, so it also notices a server that is away.

import { effect, signal, untracked } from "@preact/signals";
import { admin, type Overview } from "../api/admin";
import type { Expiration, Fault, InjectedFault } from "../api/forks";
import { away, returns, send } from "../api/http";
import { identity, setIdentity } from "./identity";
import { inOrder } from "./order";
import { navigate } from "./route";
import { scopePath, shownScope } from "./scope";
import { kugiri, refreshOverview, session } from "./session";
import { kept } from "./settings";
import { refreshNames } from "./tables";
import { refreshVersions } from "./versions";

/** What the scope that is shown has, undefined before the first answer and where there is no Kugiri. */
export const inForce = signal<Overview | undefined>(undefined);

const every = 2000; // milliseconds
const question = inOrder();

/** Asks again at once. */
export async function refreshInForce(): Promise<void> {
  const scope = shownScope.value;
  const isNew = question();
  if (!kugiri.value) {
    await send("session");
    return;
  }
  const found = await admin<Overview>("GET", scopePath(scope));
  if (isNew() && scope === shownScope.value) inForce.value = found;
}

let timer: ReturnType<typeof setTimeout> | undefined;

async function ask(): Promise<void> {
  clearTimeout(timer);
  if (!document.hidden && !away.value) await Promise.all([refreshInForce(), refreshVersions()]).catch(() => {}); // a fork may have gone meanwhile
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), every);
}

effect(() => {
  if (!session.value) return;
  void shownScope.value;
  untracked(() => {
    inForce.value = undefined;
    void ask();
  });
});

addEventListener("visibilitychange", () => session.value && void ask());

// A server that is back may be another one: with other tables, forks and faults.
effect(() => {
  if (returns.value === 0) return;
  untracked(() => {
    void refreshOverview().catch(() => {});
    void refreshNames();
    void ask();
  });
});

/** What was switched off, with the endpoint and the scope that had it. */
export const switchedOff = kept<{ of: string; fault: Fault }[]>("faults.off", []);
const maxOff = 100;

/** The name of a scope among what is switched off. */
export const placeOf = (scope: string) => `${session.value?.endpoint ?? ""} ${scope}`;

/** Remembers faults of a scope that are switched off, so that they can be switched on again. */
export function keepOff(scope: string, faults: Fault[]): void {
  switchedOff.value = [...faults.map((fault) => ({ of: placeOf(scope), fault })), ...switchedOff.value].slice(0, maxOff);
}

/** Ends all faults of a scope. Their sign goes first: nothing moves once they are shown as off. */
export async function endFaults(scope: string): Promise<void> {
  const ended = await admin<{ faults: InjectedFault[] }>("DELETE", scopePath(scope) + "faults");
  await refreshInForce().catch(() => {}); // a fork may have gone meanwhile
  keepOff(scope, ended.faults.map((f) => f.fault));
}

/** Shows the tables that a fork was made of, in place of its own. */
export function leaveFork(): void {
  const { accessKey, region } = identity.value;
  const from = kugiri.value?.forks?.find((f) => f.accessKey === accessKey)?.from;
  setIdentity({ accessKey: from ?? session.value?.accessKey ?? "", region });
}

/** Makes a fork of what is shown that has no policy, and shows it. */
export async function forkWithoutPolicy(): Promise<void> {
  const { accessKey: from, region } = identity.value;
  const taken = new Set((kugiri.value?.forks ?? []).map((f) => f.accessKey));
  let accessKey = "no-policy";
  for (let n = 2; taken.has(accessKey); n++) accessKey = `no-policy-${n}`;
  await admin("POST", "forks", { accessKey, policy: "off", ...(from ? { from } : {}) });
  await refreshOverview();
  navigate(["tables"], { as: `${accessKey}@${region}` });
}

/** How fast a held clock is moved by the page, by scope: seconds in a second. One that is not there is at rest. */
export const speeds = signal<Map<string, number>>(new Map());

/** Moves a held clock from now on by so many seconds each second, as long as the page is open; 0 for no longer. */
export function setSpeed(scope: string, speed: number): void {
  const to = new Map(speeds.value);
  if (speed > 0) to.set(scope, speed);
  else to.delete(scope);
  speeds.value = to;
}

setInterval(() => {
  for (const [scope, speed] of speeds.value) {
    moveClock(scope, { by: `${speed}s` }).catch(() => setSpeed(scope, 0)); // the fork has gone
  }
}, 1000);

/** How many items have expired since a held clock is moved by the page, by scope. */
export const expiredBy = signal<Map<string, number>>(new Map());

/** Moves a held clock. */
export async function moveClock(scope: string, request: { by: string } | { now: string }): Promise<void> {
  const path = scopePath(scope);
  const { expirations } = await admin<{ expirations: Expiration[] }>("GET", path + "expirations?limit=1000");
  const { now } = await ("by" in request ? admin<{ now: string }>("POST", path + "clock/advance", request) : admin<{ now: string }>("PUT", path + "clock", request));
  const gone = expirations.filter((x) => Date.parse(x.time) < Math.floor(Date.parse(now) / 1000) * 1000).length;
  expiredBy.value = new Map(expiredBy.value).set(scope, gone);
  if (scope === shownScope.value && inForce.value) inForce.value = { ...inForce.value, clock: { ...inForce.value.clock, now } };
}
