// The order of attribute values, for lists that are sorted in the page.

import { attribute, open, type AttributeValue, type Item } from "./values";

export interface Sorting {
  column: string;
  descending: boolean;
}

/** Items in the order of an attribute. Those without it come last, whichever the direction. */
export function sorted(items: Item[], { column, descending }: Sorting): Item[] {
  const having = items.filter((item) => attribute(item, column));
  const others = items.filter((item) => !attribute(item, column));
  const order = having.toSorted((a, b) => compare(attribute(a, column)!, attribute(b, column)!));
  return [...(descending ? order.reverse() : order), ...others];
}

/** Compares two values: numbers by what they are, others by their texts, and types by their names. */
export function compare(a: AttributeValue, b: AttributeValue): number {
  const [[aType, aContent], [bType, bContent]] = [open(a), open(b)];
  if (aType !== bType) return order(aType, bType);
  if (aType === "N") return compareNumbers(aContent as string, bContent as string);
  return order(textOf(aContent), textOf(bContent));
}

const textOf = (content: unknown) => (typeof content === "string" ? content : JSON.stringify(content));

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

// compareNumbers compares all 38 digits: numbers of JavaScript have fewer.
function compareNumbers(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (x !== y) return x - y;
  const [p, q] = [exactly(a), exactly(b)];
  const least = Math.min(p.exponent, q.exponent);
  const difference = p.digits * 10n ** BigInt(p.exponent - least) - q.digits * 10n ** BigInt(q.exponent - least);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function exactly(text: string): { digits: bigint; exponent: number } {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  return { digits: BigInt((sign === "-" ? "-" : "") + (whole + fraction || "0")), exponent: Number(exponent) - fraction.length };
}
