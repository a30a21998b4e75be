import { keyNames } from "./table_name.js";

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Item = Record<string, any>;

/** Returns the primary key of an item. */
export function keyOf(item: Item): Item {
  return Object.fromEntries(keyNames.map((name) => [name, item[name]]));
}

export type Value = string | number | undefined;

/** A part of a key: a fixed text, or a value with its name. */
interface Part {
  name?: string;
  text: string;
  digits?: number;
}

export const fixed = (text: string): Part => ({ text });
export const part = (name: string, value: Value): Part => ({ name, text: value === undefined ? "" : String(value) });
export const digits = (name: string, value: Value, width: number): Part => ({ ...part(name, value), digits: width });

/** Writes a number without its point, and from the lowest number on if it may be negative. */
export function scaled(name: string, value: Value, width: number, decimals: number, negative: boolean): Part {
  if (value === undefined) return part(name, value);
  const n = Number(value) * 10 ** decimals;
  const whole = Math.round(n);
  if (Math.abs(n - whole) > 1e-6) throw new RangeError(`${name} is ${value}: it has more than ${decimals} decimals`);
  return digits(name, whole + (negative ? 10 ** width / 2 : 0), width);
}

/** Reads a number that scaled has written. */
export function unscaled(text: string | undefined, width: number, decimals: number, negative: boolean): number | undefined {
  return text === undefined ? undefined : (Number(text) - (negative ? 10 ** width / 2 : 0)) / 10 ** decimals;
}

/** Returns the parts of a key as one string, or undefined if a value is empty. */
export function join(...parts: Part[]): string | undefined {
  let all = "";
  for (const [i, { name, text, digits }] of parts.entries()) {
    if (text === "") return undefined;
    if (digits !== undefined && (text.length > digits || !/^[0-9]+$/.test(text))) {
      throw new RangeError(`${name} is ${text}: only whole numbers of up to ${digits} digits, not below 0, can be part of a key`);
    }
    const padded = digits === undefined ? text : text.padStart(digits, "0");
    const next = [...(parts[i + 1]?.text ?? "")][0];
    if (name !== undefined && next !== undefined && padded.includes(next)) {
      throw new RangeError(`${name} is "${padded}": a value with "${next}" cannot come before another part of a key`);
    }
    all += padded;
  }
  return all;
}

/** Returns a value, or undefined if it is empty. */
export function given<T>(value: T | undefined): T | undefined {
  const empty = value === "" || (value instanceof Uint8Array && value.length === 0);
  return empty ? undefined : value;
}

/** Removes what is empty. An item needs its primary key. */
export function itemOf(item: Item): Item {
  const all = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
  const missing = keyNames.find((name) => !(name in all));
  if (missing !== undefined) throw new RangeError(`the item has no ${missing}`);
  return all;
}

/** Reads the parts of a key: texts that are fixed, and names of what is between them. */
export function split(value: string | undefined, ...parts: (string | { name?: string })[]): Record<string, string> {
  const found: Record<string, string> = {};
  let rest = value ?? "";
  if (rest === "") return found;
  for (const [i, p] of parts.entries()) {
    if (typeof p === "string") {
      if (!rest.startsWith(p)) throw new RangeError(`"${value}" has no ${p}`);
      rest = rest.slice(p.length);
      continue;
    }
    const next = parts[i + 1];
    const end = typeof next === "string" ? rest.indexOf(next) : -1;
    const text = end < 0 ? rest : rest.slice(0, end);
    rest = rest.slice(text.length);
    if (p.name !== undefined) found[p.name] = text;
  }
  return found;
}

export const numeric = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/** Returns a value of a request, which may not be empty. */
export function need<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError("a value of the request is empty");
  return value;
}

/** Returns the beginning of a value. The text may not go on into the next part of a key. */
export function beginning(name: string, text: string, next: string): string {
  if (text.includes(next)) {
    throw new RangeError(`${name} is "${text}": it cannot have "${next}", which follows it in keys`);
  }
  return text;
}
