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
  const [p, q] = [parts(a), parts(b)];
  const by = order(p.digits.padEnd(40, "0"), q.digits.padEnd(40, "0"));
  return x < 0 ? -by : by;
}

function parts(text: string): { digits: string } {
  return { digits: text.replace(/e.*$/i, "").replace(/[-+.]/g, "").replace(/^0+/, "") };
}
