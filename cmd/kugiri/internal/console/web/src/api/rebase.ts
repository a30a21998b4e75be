// Changes of a design that were made on what it said before, as changes of what it says now.

import type { DesignChange, Fields } from "./design";

type Step = string | number;

const isFields = (v: unknown): v is Fields => typeof v === "object" && v !== null && !Array.isArray(v);
const text = (v: unknown) => JSON.stringify(v) ?? "";

// nameOf returns the name of an element of a list: of a model, an attribute, a pattern.
const nameOf = (v: unknown): unknown => (isFields(v) ? v["name"] : v);

/**
 * The changes of a design as changes of another state of it. Elements of lists are found by their
 * names, wherever they are by now. It returns undefined if somebody has changed the same: ours has the
 * values that forms have given to paths, which they may change again.
 */
export function rebased(before: Fields, now: Fields, changes: DesignChange[], ours: Map<string, string>): DesignChange[] | undefined {
  const out = changes.map((change) => rebasedOne(before, now, change, ours));
  return out.every((some) => some !== undefined) ? out.flat() : undefined;
}

function rebasedOne(before: Fields, now: Fields, { path, value }: DesignChange, ours: Map<string, string>): DesignChange[] | undefined {
  const steps = stepsOf(path);
  const place: Step[] = [];
  let [was, is]: unknown[] = [before, now];
  for (const [i, step] of steps.entries()) {
    if (typeof step === "string") {
      place.push(step);
      [was, is] = [isFields(was) ? was[step] : undefined, isFields(is) ? is[step] : undefined];
      continue;
    }
    const [a, b] = [Array.isArray(was) ? was : [], Array.isArray(is) ? is : []];
    const last = i === steps.length - 1;
    if (last && step === a.length) return [{ path: pathOf([...place, b.length]), value }]; // it is added
    const at = elementOf(a, b, step);
    if (at === undefined) return undefined;
    place.push(at);
    [was, is] = [a[step], b[at]];
    if (last && value === null) return [{ path: pathOf(place), value }]; // it is removed, whatever it has
  }
  const to = pathOf(place);
  if (text(was) === text(is) || ours.get(to) === text(is)) return [{ path: to, value }];
  if (typeof was !== "string" || !isFields(is) || is["name"] !== was) return undefined;
  // It was a name, and has got fields.
  const fields: Fields = isFields(value) ? value : { name: value };
  return Object.entries(fields).filter(([name, v]) => is[name] !== v).map(([name, v]) => ({ path: `${to}.${name}`, value: v }));
}

// elementOf returns where an element of a list is now. One that has another name is at its place, if all
// others are at theirs.
function elementOf(before: unknown[], now: unknown[], at: number): number | undefined {
  const name = nameOf(before[at]);
  const found = now.flatMap((one, i) => (nameOf(one) === name ? [i] : []));
  if (name !== undefined && found.length === 1) return found[0];
  const stay = before.length === now.length && before.every((one, i) => i === at || text(nameOf(one)) === text(nameOf(now[i])));
  return stay ? at : undefined;
}

const stepsOf = (path: string): Step[] => (path.match(/[^.[\]]+/g) ?? []).map((one, i) => (i > 0 && /^\d+$/.test(one) && path.includes(`[${one}]`) ? Number(one) : one));

const pathOf = (steps: Step[]) => steps.map((step, i) => (typeof step === "number" ? `[${step}]` : i > 0 ? "." + step : step)).join("");
