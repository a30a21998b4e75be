// JSON without types: {"pk": "a", "total": 19.99}. Numbers keep all their digits. Sets are lists and
// binaries are base64 texts in it, so that they are lists and strings when they are read again.

import { open, type AttributeValue, type Item } from "./values";
import { t } from "../i18n";

/** The JSON of an item, on a line, or with the members of objects and lists on a line each. */
export function plainOf(item: Item, lines = false): string {
  return plainMembers(item, lines ? "\n" : "");
}

function plainMembers(item: Item, line: string): string {
  const colon = line ? ": " : ":";
  return enclosed("{", Object.entries(item).map(([name, value]) => JSON.stringify(name) + colon + plainValue(value, line && line + "  ")), "}", line);
}

// enclosed writes members in braces or brackets. line begins a line: "" for none.
function enclosed(begin: string, members: string[], end: string, line: string): string {
  if (members.length === 0) return begin + end;
  const inner = line && line + "  ";
  return begin + inner + members.join("," + inner) + line + end;
}

function plainValue(value: AttributeValue, line = ""): string {
  const [type, content] = open(value);
  switch (type) {
    case "N":
      return content as string;
    case "NULL":
      return "null";
    case "NS":
      return enclosed("[", content as string[], "]", line);
    case "SS":
    case "BS":
      return enclosed("[", (content as string[]).map((one) => JSON.stringify(one)), "]", line);
    case "L":
      return enclosed("[", (content as AttributeValue[]).map((one) => plainValue(one, line && line + "  ")), "]", line);
    case "M":
      return plainMembers(content as Item, line);
    default:
      return JSON.stringify(content);
  }
}

class Digits {
  constructor(readonly text: string) {}
}

type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown;

/** Reads an item: strings, numbers, booleans, null, lists and objects become S, N, BOOL, NULL, L and M. */
export function parsePlain(text: string): Item {
  const digits: Reviver = (_, value, context) => {
    if (typeof value !== "number") return value;
    if (context?.source === undefined) throw new Error(t("read.digits"));
    return new Digits(context.source);
  };
  const tree: unknown = JSON.parse(text, digits as (name: string, value: unknown) => unknown);
  if (typeof tree !== "object" || tree === null || Array.isArray(tree) || tree instanceof Digits) throw new Error(t("read.item"));
  return itemOfTree(tree);
}

const itemOfTree = (tree: object): Item => Object.fromEntries(Object.entries(tree).map(([name, one]) => [name, valueOfTree(one)]));

function valueOfTree(tree: unknown): AttributeValue {
  if (tree instanceof Digits) return { N: tree.text };
  if (Array.isArray(tree)) return { L: tree.map(valueOfTree) };
  switch (typeof tree) {
    case "string":
      return { S: tree };
    case "boolean":
      return { BOOL: tree };
    default:
      return tree === null ? { NULL: true } : { M: itemOfTree(tree as object) };
  }
}
