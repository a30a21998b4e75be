// Items out of JSON of either form: DynamoDB's, {"id": {"N": "5"}}, or plain, {"id": 5}.

import { t } from "../i18n";
import { parseItem } from "./item_json";
import { parsePlain } from "./plain";
import { attribute, open, type AttributeValue, type Item } from "./values";

export type JSONForm = "typed" | "plain";

export interface Reading {
  form?: JSONForm; // undefined: the text can be of both
  item?: Item; // undefined: somebody has to say how to read it
  twofold?: string; // what can be read in two ways, a part of the text
}

/** The types of the key attributes of a table, by their names. */
export type KeyTypes = { [attribute: string]: string };

const types = new Set(["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"]);

/**
 * Reads an item. A key tells the form: it is a text or a number in plain JSON, and an object with a
 * type in DynamoDB's. Without a key, all values with types or none tell it. What has two readings is
 * read as the answer says, if there is one. It throws an error if the text is of neither form.
 */
export function readJSON(text: string, keys: KeyTypes, answer?: JSONForm): Reading {
  const plain = parsePlain(text);
  const given = Object.keys(keys).flatMap((name) => attribute(plain, name) ?? []);
  const all = Object.values(plain);
  const typed = (given.length > 0 ? given : all).filter(looksTyped);
  if (typed.length > 0 && given.length > 0) return { form: "typed", item: parseItem(text) };
  if (all.length > 0 && typed.length === all.length) {
    const item = parseItem(text); // says what is wrong, as nobody names all attributes of maps like types
    if (answer === undefined) return { twofold: text.trim().replace(/\s+/g, " ") };
    return { form: answer, item: answer === "typed" ? item : withKeys(plain, keys) };
  }
  const twofold = all.map(typedWithin).find((one) => one !== undefined);
  if (twofold === undefined) return { form: "plain", item: withKeys(plain, keys) };
  if (answer === undefined) return { form: "plain", twofold: JSON.stringify(twofold) };
  return { form: "plain", item: withKeys(answer === "typed" ? (typedParts({ M: plain }) as { M: Item }).M : plain, keys) };
}

// looksTyped reports whether a plain value is an object with one member that has the name of a type.
function looksTyped(value: AttributeValue): boolean {
  if (!("M" in value)) return false;
  const names = Object.keys(value.M);
  return names.length === 1 && types.has(names[0]!);
}

// typedOf returns the value that a plain value stands for in DynamoDB's JSON, or undefined.
function typedOf(value: AttributeValue): AttributeValue | undefined {
  if (!looksTyped(value)) return undefined;
  try {
    return attribute(parseItem(`{"v":${JSON.stringify(bare(value))}}`), "v");
  } catch {
    return undefined;
  }
}

// bare returns the plain JSON of a value. A number stays one, which DynamoDB's JSON does not have.
function bare(value: AttributeValue): unknown {
  const [type, content] = open(value);
  switch (type) {
    case "N":
      return Number(content);
    case "NULL":
      return null;
    case "L":
      return (content as AttributeValue[]).map(bare);
    case "M":
      return Object.fromEntries(Object.entries(content as Item).map(([name, one]) => [name, bare(one)]));
    default:
      return content;
  }
}

// typedWithin returns the first part of a plain value that can be one of DynamoDB's JSON.
function typedWithin(value: AttributeValue): unknown {
  if (typedOf(value)) return bare(value);
  const members = "M" in value ? Object.values(value.M) : "L" in value ? value.L : [];
  for (const one of members) {
    const found = typedWithin(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

// typedParts reads the parts of a plain value that are DynamoDB's JSON as that.
function typedParts(value: AttributeValue): AttributeValue {
  const typed = typedOf(value);
  if (typed) return typed;
  if ("M" in value) return { M: Object.fromEntries(Object.entries(value.M).map(([name, one]) => [name, typedParts(one)])) };
  return "L" in value ? { L: value.L.map(typedParts) } : value;
}

// withKeys gives keys the type that the table has: no other one is possible.
function withKeys(item: Item, keys: KeyTypes): Item {
  const entries = Object.entries(item).map(([name, value]): [string, AttributeValue] => {
    const type = Object.hasOwn(keys, name) ? keys[name]! : "";
    if (!type || !("S" in value || "N" in value) || type in value) return [name, value];
    const content = String(open(value)[1]);
    if (type === "N" && !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(content)) throw new Error(t("json.keyNumber", { key: name, text: content }));
    return [name, { [type]: content.trim() } as AttributeValue];
  });
  return Object.fromEntries(entries);
}
