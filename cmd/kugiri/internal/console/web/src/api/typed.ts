// Attribute values out of a type and the text of a field.

import { t } from "../i18n";
import { decode64 } from "./binary";
import type { AttributeValue, Item, TypeName } from "./values";

export const typeNames: TypeName[] = ["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"];

/**
 * The value that a text stands for. A set is a list with commas, or a JSON array of texts if members
 * have commas; lists and maps are DynamoDB's JSON. It throws an error if the text is not of the type.
 */
export function typedValue(type: TypeName, text: string): AttributeValue {
  switch (type) {
    case "S":
      return { S: text };
    case "N":
      return { N: number(text) };
    case "B":
      return { B: base64(text) };
    case "BOOL":
      return { BOOL: text === "true" };
    case "NULL":
      return { NULL: true };
    case "SS":
      return { SS: listOf(text) };
    case "NS":
      return { NS: listOf(text).map(number) };
    case "BS":
      return { BS: listOf(text).map(base64) };
    case "L":
      return { L: json<AttributeValue[]>(text, Array.isArray) };
    case "M":
      return { M: json<Item>(text, (one) => typeof one === "object" && one !== null && !Array.isArray(one)) };
  }
}

/** The members of a list with commas between, or of a JSON array of texts. */
export function listOf(text: string): string[] {
  if (/^\s*\[/.test(text)) return json<string[]>(text, (one) => Array.isArray(one) && one.every((each) => typeof each === "string"));
  return text.split(",").map((one) => one.trim()).filter((one) => one !== "");
}

function number(text: string): string {
  if (text.trim() === "") throw new Error(t("typed.noNumber"));
  if (!/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text)) throw new Error(t("typed.notNumber", { text }));
  return text.trim();
}

function base64(text: string): string {
  try {
    decode64(text.trim());
  } catch {
    throw new Error(t("typed.notBase64", { text }));
  }
  return text.trim();
}

function json<T>(text: string, is: (value: unknown) => boolean): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!is(value)) throw new Error(t("typed.notJSON", { text }));
  return value as T;
}
