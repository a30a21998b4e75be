// Items out of DynamoDB's JSON that somebody has written.

import { t } from "../i18n";
import type { AttributeValue, Item } from "./values";

/** Reads an item from DynamoDB's JSON. It throws an error that says what is wrong. */
export function parseItem(text: string): Item {
  const tree: unknown = JSON.parse(text);
  if (!isObject(tree)) throw new Error(t("read.typedItem"));
  for (const [name, value] of Object.entries(tree)) checkValue(name, value);
  return tree as Item;
}

/** Reads a value from DynamoDB's JSON, such as {"S": "a"}. */
export function parseValue(text: string): AttributeValue {
  const tree: unknown = JSON.parse(text);
  checkValue("", tree);
  return tree as AttributeValue;
}

const isObject = (tree: unknown): tree is Record<string, unknown> => typeof tree === "object" && tree !== null && !Array.isArray(tree);
const isTexts = (tree: unknown) => Array.isArray(tree) && tree.every((one) => typeof one === "string");

function checkValue(path: string, tree: unknown): void {
  const at = path ? path + ": " : "";
  const entry = isObject(tree) ? Object.entries(tree) : [];
  if (entry.length !== 1) throw new Error(at + t("read.typedValue"));
  const [type, content] = entry[0]!;
  if (type === "M" && isObject(content)) {
    for (const [name, one] of Object.entries(content)) checkValue(`${path}.${name}`, one);
  } else if (type === "L" && Array.isArray(content)) {
    content.forEach((one, i) => checkValue(`${path}[${i}]`, one));
  } else if (!fits(type, content)) {
    throw new Error(at + t("read.type", { text: JSON.stringify(content)?.slice(0, 60) ?? "", type }));
  }
}

function fits(type: string, content: unknown): boolean {
  switch (type) {
    case "S":
    case "N":
    case "B":
      return typeof content === "string";
    case "BOOL":
    case "NULL":
      return typeof content === "boolean";
    default:
      return ["SS", "NS", "BS"].includes(type) && isTexts(content);
  }
}
