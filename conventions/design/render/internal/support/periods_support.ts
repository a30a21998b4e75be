import { need } from "./keys_support.js";

/** Returns the beginning of a period, which is a date of so many letters. */
function begin(period: string, letters: number): Date {
  const at = new Date(`${period}${"0000-01-01T00".slice(letters)}:00Z`);
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, letters) !== period) {
    throw new RangeError(`"${period}" is no timestamp`);
  }
  return at;
}

/** Returns the part of a timestamp that a period shows, of so many letters. */
export function period(timestamp: string | undefined, letters: number): string | undefined {
  if (timestamp === undefined || timestamp === "") return undefined;
  const text = timestamp.slice(0, letters);
  begin(text, letters);
  return text;
}

/** How many requests a read takes at most. */
const maxPeriods = 1000;

/** Returns the periods between two timestamps in the order of a result. */
export function periods(from: string, to: string, letters: number, descending: boolean): string[] {
  const first = need(period(from, letters));
  const last = need(period(to, letters));
  const all: string[] = [];
  for (const at = begin(first, letters); ; ) {
    const name = at.toISOString().slice(0, letters);
    if (name > last) return descending ? all.reverse() : all;
    if (all.length === maxPeriods) throw new RangeError(`from ${first} to ${last} are more than ${maxPeriods} periods`);
    all.push(name);
    if (letters === 4) at.setUTCFullYear(at.getUTCFullYear() + 1);
    else if (letters === 7) at.setUTCMonth(at.getUTCMonth() + 1);
    else if (letters === 10) at.setUTCDate(at.getUTCDate() + 1);
    else at.setUTCHours(at.getUTCHours() + 1);
  }
}
