// The shapes of the operations on items that have no form of their own, and the requests that are made of what
// somebody writes into a general form for them. Members that DynamoDB keeps for old programs are left out.

import { t } from "../i18n";
import type { TableDescription } from "./dynamodb";
import type { Place } from "./read_items";
import { readJSON } from "./read_json";
import { keyOf, typeOf } from "./schema";
import { attribute, type Item } from "./values";

/** What a member holds: JSON of an item, of its key, of several keys, of names or of values; a choice; or a text. */
type Kind = "table" | "item" | "key" | "keys" | "names" | "values" | "flag" | "text" | string[];

export interface Member {
  name: string;
  kind: Kind;
}

export interface Shape {
  members: Member[];
  parts?: { of: "RequestItems" | "TransactItems"; kinds: { [kind: string]: Member[] }; most: number };
}

const table: Member = { name: "TableName", kind: "table" };
const item: Member = { name: "Item", kind: "item" };
const key: Member = { name: "Key", kind: "key" };
const text = (name: string): Member => ({ name, kind: "text" });
const names: Member = { name: "ExpressionAttributeNames", kind: "names" };
const values: Member = { name: "ExpressionAttributeValues", kind: "values" };
const failure: Member = { name: "ReturnValuesOnConditionCheckFailure", kind: ["NONE", "ALL_OLD"] };
const conditions = [text("ConditionExpression"), names, values, failure];
const projection = [text("ProjectionExpression"), names];
const consistent: Member = { name: "ConsistentRead", kind: "flag" };
const metrics: Member = { name: "ReturnItemCollectionMetrics", kind: ["NONE", "SIZE"] };
const returns = (...kind: string[]): Member => ({ name: "ReturnValues", kind });

export const shapes = {
  PutItem: { members: [table, item, ...conditions, returns("NONE", "ALL_OLD"), metrics] },
  UpdateItem: { members: [table, key, text("UpdateExpression"), ...conditions, returns("NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"), metrics] },
  DeleteItem: { members: [table, key, ...conditions, returns("NONE", "ALL_OLD"), metrics] },
  BatchWriteItem: { members: [metrics], parts: { of: "RequestItems", kinds: { PutRequest: [table, item], DeleteRequest: [table, key] }, most: 25 } },
  TransactWriteItems: {
    members: [text("ClientRequestToken"), metrics],
    parts: {
      of: "TransactItems", most: 100,
      kinds: { Put: [table, item, ...conditions], Update: [table, key, text("UpdateExpression"), ...conditions], Delete: [table, key, ...conditions], ConditionCheck: [table, key, ...conditions] },
    },
  },
  GetItem: { members: [table, key, consistent, ...projection] },
  BatchGetItem: { members: [], parts: { of: "RequestItems", kinds: { KeysAndAttributes: [table, { name: "Keys", kind: "keys" }, consistent, ...projection] }, most: 100 } },
  TransactGetItems: { members: [], parts: { of: "TransactItems", kinds: { Get: [table, key, ...projection] }, most: 100 } },
} satisfies { [operation: string]: Shape };

export type Operation = keyof typeof shapes;

export const shapeOf = (operation: Operation): Shape => shapes[operation];
export const writes = (operation: Operation) => !/Get/.test(operation);

export type Values = { [member: string]: string }; // flags have "1" or ""

export interface Part {
  kind: string;
  values: Values;
}

export interface RequestDraft {
  operation: Operation;
  values: Values;
  parts: Part[];
}

/** What is wrong with a member: of a part, or of the request itself. */
export class MemberFault extends Error {
  constructor(readonly part: number | undefined, readonly member: string, text: string) {
    super(text);
  }
}

type Tables = Map<string, TableDescription>;

/** The members of a part of a draft. */
export const membersOfPart = (d: RequestDraft, part: Part): Member[] => shapeOf(d.operation).parts?.kinds[part.kind] ?? [];

/** The request of a draft. It throws a MemberFault for a member that cannot be read. */
export function requestOfDraft(d: RequestDraft, tables: Tables): object {
  const { members, parts } = shapeOf(d.operation);
  const own = inputOf(members, d.values, tables, undefined);
  if (!parts) return own;
  const all = d.parts.map((part, at) => ({ ...part, input: inputOf(membersOfPart(d, part), part.values, tables, at) }));
  if (parts.of === "TransactItems") return { TransactItems: all.map((one) => ({ [one.kind]: one.input })), ...own };
  const byTable: { [name: string]: unknown } = {};
  for (const [at, { kind, values: { TableName = "" }, input }] of all.entries()) {
    const { TableName: _, ...rest } = input;
    if (kind === "KeysAndAttributes") {
      if (Object.hasOwn(byTable, TableName)) throw new MemberFault(at, "TableName", t("fault.twice"));
      byTable[TableName] = rest;
    } else byTable[TableName] = [...((byTable[TableName] as object[] | undefined) ?? []), { [kind]: rest }];
  }
  return { RequestItems: byTable, ...own };
}

function inputOf(members: Member[], values: Values, tables: Tables, part: number | undefined): { [member: string]: unknown } {
  const description = tables.get(values["TableName"] ?? "");
  const keys = Object.fromEntries((description?.KeySchema ?? []).map((k) => [k.AttributeName, typeOf(description!, k.AttributeName)]));
  return Object.fromEntries(members.flatMap(({ name, kind }) => {
    const written = values[name]?.trim() ?? "";
    try {
      return written === "" ? [] : [[name, valueOf(kind, written, keys)]];
    } catch (e) {
      throw new MemberFault(part, name, e instanceof Error ? e.message : String(e));
    }
  }));
}

function valueOf(kind: Kind, written: string, keys: { [name: string]: string }): unknown {
  switch (kind) {
    case "item":
    case "key":
      return readJSON(written, keys, "typed").item;
    case "keys":
      return (JSON.parse(written) as object[]).map((one) => readJSON(JSON.stringify(one), keys, "typed").item);
    case "values":
      return readJSON(written, {}, "typed").item;
    case "names":
      return JSON.parse(written) as object;
    case "flag":
      return true;
    default:
      return written;
  }
}

/** The items that a request writes, undefined if one has no whole key. */
export function placesOf(d: RequestDraft, tables: Tables): Place[] | undefined {
  if (!writes(d.operation)) return [];
  const all = shapeOf(d.operation).parts ? d.parts.filter((one) => one.kind !== "ConditionCheck") : [{ kind: "", values: d.values }];
  const places = all.map(({ values }) => {
    const description = tables.get(values["TableName"] ?? "");
    const found = inputOf([item, key], values, tables, undefined);
    const of = (found["Item"] ?? found["Key"]) as Item | undefined;
    if (!description || !of || !description.KeySchema.every((k) => attribute(of, k.AttributeName))) return undefined;
    return { table: description, key: keyOf(description.KeySchema, of) };
  });
  return places.every((one) => one !== undefined) ? places : undefined;
}

/** The member that an error of the server speaks of, undefined if it names none that can show it. */
export function memberOf(message: string, members: Member[]): string | undefined {
  const name = members.filter((one) => one.kind !== "flag").find((one) => message.includes(one.name) || message.includes(`'${one.name[0]!.toLowerCase()}${one.name.slice(1)}`))?.name;
  if (name) return name;
  const has = (member: string) => (members.some((one) => one.name === member) ? member : undefined);
  if (/\bkey\b/i.test(message)) return has("Key") ?? has("Item") ?? has("Keys");
  return /table/i.test(message) ? has("TableName") : undefined;
}
