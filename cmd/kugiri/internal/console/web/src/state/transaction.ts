// A transaction that somebody writes: its actions, the request that they stand for, and those that were sent,
// which can be undone. The browser keeps both.

import { call, describeTable, type TableDescription } from "../api/dynamodb";
import { actionOf, same, type Edit } from "../api/edits";
import { conditionText, type Condition } from "../api/filter";
import { Placeholders } from "../api/placeholders";
import { readJSON } from "../api/read_json";
import { keyOf, typeOf } from "../api/schema";
import { attribute, type Item } from "../api/values";
import { t } from "../i18n";
import { identity } from "./identity";
import { applied } from "./known";
import { session } from "./session";
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

/** Items of a transaction, as they were before it and as it left them. */
export interface SentTransaction {
  of: string; // whose tables
  time: number; // milliseconds since 1970
  edits: { table: string; edit: Edit }[];
}

const maxSent = 10;
const maxSentText = 1_000_000; // characters, of the five million that browsers keep
const sent = kept<SentTransaction[]>("transactions", []);
const place = () => JSON.stringify([session.value?.endpoint ?? "", identity.value]);

/** The transactions that were sent last, the latest first. */
export const sentTransactions = () => sent.value.filter((one) => one.of === place());

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

/** Sends the actions, and keeps what they changed. The items are read before and after, to be able to undo it. */
export async function sendTransaction(list: Action[], tables: Map<string, TableDescription>): Promise<void> {
  const items = transactItems(list, tables);
  const keys = list.filter((one) => one.kind !== "ConditionCheck").map((one) => ({ table: one.table, key: keyOf(tables.get(one.table)!.KeySchema, itemOf(one, tables.get(one.table)!)) }));
  const before = await readAll(keys);
  await call("TransactWriteItems", { TransactItems: items }, { tells: true });
  const after = await readAll(keys);
  const edits = keys.map(({ table }, i) => ({ table, edit: editOf(before[i], after[i]) })).filter(({ edit }) => !same(edit.base, edit.mine));
  note(edits, tables);
  if (edits.length > 0) remember({ of: place(), time: Date.now(), edits });
}

// remember keeps a transaction, and of those before as many as there is room for.
function remember(one: SentTransaction): void {
  const all = [one, ...sent.value].slice(0, maxSent);
  while (all.length > 1 && JSON.stringify(all).length > maxSentText) all.pop();
  sent.value = all;
}

const editOf = (base: Item | undefined, mine: Item | undefined): Edit => ({ ...(base ? { base } : {}), ...(mine ? { mine } : {}) });

async function readAll(keys: { table: string; key: Item }[]): Promise<(Item | undefined)[]> {
  if (keys.length === 0) return [];
  const out = await call<{ Responses: { Item?: Item }[] }>("TransactGetItems", { TransactItems: keys.map(({ table, key }) => ({ Get: { TableName: table, Key: key } })) });
  return out.Responses.map((one) => one.Item);
}

// note says to all views what became of the items.
function note(edits: SentTransaction["edits"], tables: Map<string, TableDescription>): void {
  for (const name of new Set(edits.map((one) => one.table))) applied(tables.get(name)!, edits.filter((one) => one.table === name).map((one) => one.edit));
}

/** Takes the items of a transaction back to what they were before, in one transaction, if nobody has changed them since. */
export async function undoTransaction(one: SentTransaction): Promise<void> {
  const names = [...new Set(one.edits.map((edit) => edit.table))];
  const tables = new Map(await Promise.all(names.map(async (name) => [name, await describeTable(name)] as const)));
  const back = one.edits.map(({ table, edit }) => ({ table, edit: editOf(edit.mine, edit.base) }));
  await call("TransactWriteItems", { TransactItems: back.map(({ table, edit }) => actionOf(tables.get(table)!, edit)) }, { tells: true });
  note(back, tables);
  sent.value = sent.value.filter((other) => other.time !== one.time);
}
