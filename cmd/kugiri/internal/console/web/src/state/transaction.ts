// A transaction that somebody writes: its actions, which the browser keeps, and the request that they stand for.

import type { TableDescription } from "../api/dynamodb";
import { conditionText, type Condition } from "../api/filter";
import { Placeholders } from "../api/placeholders";
import type { Place } from "../api/read_items";
import { readJSON } from "../api/read_json";
import { keyOf, typeOf } from "../api/schema";
import { attribute, type Item } from "../api/values";
import { t } from "../i18n";
import { kept } from "./settings";

export const actionKinds = ["Put", "Update", "Delete", "ConditionCheck"] as const;
export type ActionKind = (typeof actionKinds)[number];

export interface Action {
  kind: ActionKind;
  table: string;
  json: string; // the item of a Put, the key of the others
  set: string; // of an Update, the attributes to set as JSON
  remove: string; // of an Update, the attributes to remove, with commas between
  conditions: Condition[];
  any: boolean; // one condition is enough
}

export const newAction = (table: string): Action => ({ kind: "Put", table, json: "", set: "", remove: "", conditions: [], any: false });

export const actions = kept<Action[]>("transaction", []);

/** What is wrong with an action. */
export class ActionFault extends Error {
  constructor(readonly at: number, text: string) {
    super(text);
  }
}

/** The actions of the request. It throws an ActionFault for one that cannot be read. */
export function transactItems(list: Action[], tables: Map<string, TableDescription>): object[] {
  return list.map((one, at) => {
    try {
      const table = tables.get(one.table);
      if (!table) throw new Error(t("transaction.noTable"));
      return { [one.kind]: partOf(one, table) };
    } catch (e) {
      throw new ActionFault(at, e instanceof Error ? e.message : String(e));
    }
  });
}

function partOf(one: Action, table: TableDescription): object {
  const to = new Placeholders();
  const item = itemOf(one, table);
  const update = one.kind === "Update" ? { UpdateExpression: updateText(one, to) } : {};
  const condition = one.conditions.map((c) => conditionText(c, to)).join(one.any ? " OR " : " AND ");
  if (one.kind === "ConditionCheck" && condition === "") throw new Error(t("transaction.noCondition"));
  return {
    TableName: one.table,
    ...(one.kind === "Put" ? { Item: item } : { Key: keyOf(table.KeySchema, item) }),
    ...update,
    ...(condition ? { ConditionExpression: condition } : {}),
    ...to.members(),
  };
}

// itemOf reads the item of an action, or its key.
function itemOf(one: Action, table: TableDescription): Item {
  const keys = Object.fromEntries(table.KeySchema.map((k) => [k.AttributeName, typeOf(table, k.AttributeName)]));
  const item = readJSON(one.json || "{}", keys, "typed").item!;
  const missing = Object.keys(keys).find((name) => !attribute(item, name));
  if (missing !== undefined) throw new Error(t("edit.noKey", { key: missing }));
  return item;
}

function updateText(one: Action, to: Placeholders): string {
  const set = Object.entries(readJSON(one.set || "{}", {}, "typed").item ?? {});
  const remove = one.remove.split(",").map((name) => name.trim()).filter(Boolean);
  if (set.length + remove.length === 0) throw new Error(t("transaction.noUpdate"));
  const sets = set.map(([name, value]) => `${to.name(name)} = ${to.value(JSON.stringify(name), value)}`);
  return [...(sets.length ? ["SET " + sets.join(", ")] : []), ...(remove.length ? ["REMOVE " + remove.map((path) => to.path(path)).join(", ")] : [])].join(" ");
}

/** The items that actions write. */
export function placesOf(list: Action[], tables: Map<string, TableDescription>): Place[] {
  return list.filter((one) => one.kind !== "ConditionCheck").map((one) => ({ table: tables.get(one.table)!, key: itemOf(one, tables.get(one.table)!) }));
}
