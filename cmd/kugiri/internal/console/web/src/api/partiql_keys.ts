// Which item a statement of PartiQL writes. Each INSERT, UPDATE and DELETE writes one, whose key its text has.

import type { TableDescription } from "./dynamodb";
import { typeOf } from "./schema";
import type { AttributeValue, Item } from "./values";

const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[\w$]+|<<|>>|<=|>=|<>|!=|[^\s]/g;

/** The tokens of a statement, without comments. */
function tokensOf(text: string): string[] {
  return [...text.matchAll(token)].map(([one]) => one).filter((one) => !one.startsWith("--") && !one.startsWith("/*"));
}

const unquoted = (name: string) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);
const is = (one: string | undefined, word: string) => one?.toUpperCase() === word;

/** The table that a statement writes to: undefined if it only reads, "" if its text does not say. */
export function targetOf(text: string): string | undefined {
  const all = tokensOf(text);
  if (is(all[0], "SELECT") || is(all[0], "EXISTS")) return undefined;
  const at = is(all[0], "UPDATE") ? 1 : (is(all[0], "INSERT") && is(all[1], "INTO")) || (is(all[0], "DELETE") && is(all[1], "FROM")) ? 2 : 0;
  return at > 0 && all[at] !== undefined ? unquoted(all[at]) : "";
}

/** The key of the item that a statement writes, undefined if its text does not say it. */
export function writtenKey(text: string, parameters: AttributeValue[], table: TableDescription): Item | undefined {
  const all = tokensOf(text);
  let marks = 0;
  const values = all.map((one) => (one === "?" ? parameters[marks++] : literal(one)));
  const found = is(all[0], "INSERT") ? membersOf(all, values) : conditionsOf(all, values);
  const key = table.KeySchema.map(({ AttributeName: name }): [string, AttributeValue | undefined] => [name, found?.get(name)]);
  if (key.some(([name, value]) => !value || !(typeOf(table, name) in value))) return undefined;
  return Object.fromEntries(key) as Item;
}

function literal(one: string): AttributeValue | undefined {
  if (one.startsWith("'")) return { S: one.slice(1, -1).replaceAll("''", "'") };
  return /^-?(\d|\.\d)/.test(one) ? { N: one } : undefined;
}

type Values = (AttributeValue | undefined)[];
const opens = new Set(["{", "[", "(", "<<"]);
const closes = new Set(["}", "]", ")", ">>"]);

// membersOf finds the attributes of the item of an INSERT that are texts, numbers or parameters.
function membersOf(all: string[], values: Values): Map<string, AttributeValue> {
  const found = new Map<string, AttributeValue>();
  let depth = 0;
  for (let i = all.findIndex((one) => is(one, "VALUE")) + 1; i < all.length; i++) {
    if (opens.has(all[i]!)) depth++;
    if (closes.has(all[i]!)) depth--;
    if (depth === 0) break;
    const name = values[i];
    const value = values[i + 2];
    if (depth === 1 && all[i + 1] === ":" && name && "S" in name && value) found.set(name.S, value);
  }
  return found;
}

// conditionsOf finds the attributes that the condition of an UPDATE or a DELETE compares, if all of it has to hold.
function conditionsOf(all: string[], values: Values): Map<string, AttributeValue> | undefined {
  const from = all.findIndex((one) => is(one, "WHERE"));
  if (from < 0 || all.slice(from).some((one) => is(one, "OR") || is(one, "NOT"))) return undefined;
  const found = new Map<string, AttributeValue>();
  const set = (name: number, value: number) => {
    if (all[name - 1] !== "." && values[value] && /^["\w]/.test(all[name] ?? "") && !values[name]) found.set(unquoted(all[name]!), values[value]);
  };
  for (let i = from + 2; i < all.length; i++) {
    if (all[i] !== "=") continue;
    set(i - 1, i + 1);
    if (!opens.has(all[i + 2] ?? "") && all[i + 2] !== ".") set(i + 1, i - 1);
  }
  return found;
}
