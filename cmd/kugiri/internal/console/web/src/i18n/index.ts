// The texts of the page, in the language that was chosen.

import { language } from "../state/settings";
import { en } from "./en";
import { ja } from "./ja";

export type Key = keyof typeof en;

const texts: Record<string, Record<Key, string>> = { en, ja };

/**
 * The text of a key. {name} in it stands for a parameter. Of a text with two forms, "one|several",
 * the first is for a count of 1.
 */
export function t(key: Key, parameters: Record<string, string | number> = {}): string {
  const [one, several] = texts[language.value]![key].split("|");
  const form = several === undefined || parameters["count"] === 1 ? one! : several;
  return form.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = parameters[name];
    return value === undefined ? all : typeof value === "number" ? count(value) : value;
  });
}

/** A number as people write it. Only for counts: numbers of items are texts, and shown as they are. */
export function count(n: number): string {
  return new Intl.NumberFormat(language.value).format(n);
}

const units = ["B", "KB", "MB", "GB", "TB"];

/** A number of bytes as people write it, in steps of 1024. */
export function bytes(n: number): string {
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) {
    n /= 1024;
    unit++;
  }
  return `${new Intl.NumberFormat(language.value, { maximumFractionDigits: n < 10 && unit > 0 ? 1 : 0 }).format(n)} ${units[unit]}`;
}

// All times are in UTC, as are those of the service, of its logs and of held clocks, and say so.

/** A moment, given in seconds since 1970 as DynamoDB gives it. */
export function moment(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" }).format(seconds * 1000) + " UTC";
}

let clocks: { language: string; format: Intl.DateTimeFormat } | undefined;

/** The time of day of a moment in ISO 8601, in UTC, to the millisecond. */
export function timeOfDay(iso: string): string {
  if (clocks?.language !== language.value) {
    const format = new Intl.DateTimeFormat(language.value, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23", timeZone: "UTC" });
    clocks = { language: language.value, format };
  }
  return clocks!.format.format(new Date(iso));
}

/** A number of at most some digits after the point: for units, milliseconds and shares. */
export function decimal(n: number, digits: number): string {
  return new Intl.NumberFormat(language.value, { maximumFractionDigits: digits }).format(n);
}
