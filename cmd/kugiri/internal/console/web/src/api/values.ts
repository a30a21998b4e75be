// Attribute values, as DynamoDB writes them in JSON. A number is the text of its digits, up to 38 of
// them, and never a number of JavaScript, which has fewer.

import { visible } from "./visible";

export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string } // base64
  | { BOOL: boolean }
  | { NULL: boolean }
  | { M: Item }
  | { L: AttributeValue[] }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] };

export type Item = { [attribute: string]: AttributeValue };

export type TypeName = "S" | "N" | "B" | "BOOL" | "NULL" | "M" | "L" | "SS" | "NS" | "BS";

/** An attribute of an item. Items may have any names, those of JavaScript's own objects included. */
export function attribute(item: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

/** The type of a value and what it holds. */
export function open(value: AttributeValue): [TypeName, unknown] {
  const entry = Object.entries(value)[0];
  return entry as [TypeName, unknown];
}

/** The text of a key's value: S, N or B. */
export function keyText(value: AttributeValue | undefined): string {
  if (!value) return "";
  const [, content] = open(value);
  return typeof content === "string" ? content : "";
}

/** A value from the text of a key. */
export function keyValue(type: string, text: string): AttributeValue {
  return { [type]: text } as AttributeValue;
}

/** One line for a value, of about limit characters at most, with signs for what would not be seen. */
export function brief(value: AttributeValue, limit = 200): string {
  const [type, content] = open(value);
  switch (type) {
    case "S":
      return visible(cut(content as string, limit));
    case "N":
    case "B":
      return cut(content as string, limit);
    case "BOOL":
      return String(content);
    case "NULL":
      return "null";
    case "SS":
    case "NS":
    case "BS":
      return `{${list((content as string[]).map((one) => () => visible(one)), limit)}}`;
    case "L":
      return `[${list((content as AttributeValue[]).map((one) => () => brief(one, 40)), limit)}]`;
    case "M":
      return `{${list(Object.entries(content as Item).map(([name, one]) => () => `${visible(name)}: ${brief(one, 40)}`), limit)}}`;
  }
}

function cut(text: string, limit: number): string {
  return text.length > limit ? text.slice(0, limit) + "…" : text;
}

// list joins texts until limit characters are there, and makes no more of them.
function list(texts: (() => string)[], limit: number): string {
  let out = "";
  for (const text of texts) {
    if (out.length > limit) return out + ", …";
    out += (out ? ", " : "") + text();
  }
  return out;
}

/** Whether two items have the same key. */
export function sameKey(a: Item, b: Item, names: string[]): boolean {
  return names.every((name) => JSON.stringify(attribute(a, name)) === JSON.stringify(attribute(b, name)));
}
