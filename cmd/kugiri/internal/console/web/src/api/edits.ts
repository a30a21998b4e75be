// Edits of items, and the conditional transactions that they are sent as.

import { call, describeTable, ServiceError, type TableDescription } from "./dynamodb";
import { changesOf } from "./diff";
import { keyOf } from "./schema";
import { attribute, type AttributeValue, type Item } from "./values";

/** An edit of one item. It has base, mine or both. */
export interface Edit {
  base?: Item; // what was read; undefined: there was no such item
  mine?: Item; // what it becomes; undefined: it is deleted
  conflict?: { theirs?: Item }; // somebody was faster: what they made of it, undefined if they deleted it
  problem?: string; // why it was refused
  tab?: string; // the tab of the browser in which it was made
}

/** The key of the item, as a text that no other item of the table has. */
export const idOf = (table: TableDescription, item: Item) => JSON.stringify(keyOf(table.KeySchema, item));

/** The key of the item of an edit, as a text. */
export const editId = (table: TableDescription, edit: Edit) => idOf(table, edit.mine ?? edit.base!);

export const kindOf = (edit: Edit) => (!edit.base ? "new" : edit.mine ? "changed" : "deleted");

/** Whether two versions of an item are the same; undefined is that there is none. */
export function same(a: Item | undefined, b: Item | undefined): boolean {
  return a && b ? changesOf(a, b).length === 0 : a === b;
}

// Limits of TransactWriteItems and of expressions.
const maxActions = 100;
const maxBytes = 4 << 20;
const maxText = 4096;
const maxOperators = 300; // each comparison, each function and each AND between them

/** A condition, and how many of the attributes that were read it compares. */
interface Condition {
  ConditionExpression: string;
  ExpressionAttributeNames: { [placeholder: string]: string };
  ExpressionAttributeValues?: { [placeholder: string]: AttributeValue };
  checked: number;
}

/**
 * The condition that an item is as it was read. It compares the key, then what the edit changes,
 * then the other attributes, as many of them as an expression has room for.
 */
function conditionOf(table: TableDescription, { base, mine }: Edit): Condition {
  const keys = table.KeySchema.map((k) => k.AttributeName);
  if (!base) return { ConditionExpression: "attribute_not_exists(#0)", ExpressionAttributeNames: { "#0": keys[0]! }, checked: 0 };
  const changed = mine ? changedNames(base, mine).filter((name) => !keys.includes(name)) : [];
  const names = [...new Set([...keys, ...changed, ...Object.keys(base)])];
  const out = { ExpressionAttributeNames: {} as Condition["ExpressionAttributeNames"], ExpressionAttributeValues: {} as Item };
  let [text, terms, checked] = ["", 0, 0];
  for (const name of names) {
    const value = attribute(base, name);
    const term = (text && " AND ") + (value ? `#${terms} = :${terms}` : `attribute_not_exists(#${terms})`);
    if (text.length + term.length > maxText || 2 * (terms + 1) > maxOperators) break;
    out.ExpressionAttributeNames[`#${terms}`] = name;
    if (value) out.ExpressionAttributeValues[`:${terms}`] = value;
    if (value) checked++;
    text += term;
    terms++;
  }
  return { ConditionExpression: text, ...out, checked };
}

/** The attributes of two versions of an item that differ. */
function changedNames(before: Item, after: Item): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const only = (item: Item, name: string): Item => {
    const value = attribute(item, name);
    return value ? { value } : {};
  };
  return [...names].filter((name) => changesOf(only(before, name), only(after, name)).length > 0);
}

/** How many of the attributes that were read are compared, and how many there are. */
export function checkedOf(table: TableDescription, edit: Edit): { checked: number; all: number } {
  return { checked: conditionOf(table, edit).checked, all: Object.keys(edit.base ?? {}).length };
}

/**
 * The action of a transaction that makes an edit: a Put of a new item, a Delete, or an Update of what changes, which
 * leaves attributes alone that others add meanwhile.
 */
export function actionOf(table: TableDescription, edit: Edit): object {
  const { checked: _, ...condition } = conditionOf(table, edit);
  const common = { TableName: table.TableName, ReturnValuesOnConditionCheckFailure: "ALL_OLD", ...condition };
  const { base, mine } = edit;
  if (!mine) return { Delete: { ...common, Key: keyOf(table.KeySchema, base!) } };
  const update = base && updateOf(base, mine);
  if (!update) return { Put: { ...common, Item: mine } };
  return {
    Update: {
      ...common,
      Key: keyOf(table.KeySchema, base),
      UpdateExpression: update.text,
      ExpressionAttributeNames: { ...condition.ExpressionAttributeNames, ...update.names },
      ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ...update.values },
    },
  };
}

/** The request of an edit alone: with the condition that the item is still what was read. */
export function requestOfEdit(table: TableDescription, edit: Edit): { operation: "PutItem" | "UpdateItem" | "DeleteItem"; input: object } {
  const [[name, action]] = Object.entries(actionOf(table, edit)) as [["Put" | "Update" | "Delete", object]];
  const { ReturnValuesOnConditionCheckFailure: _, ...input } = action as { ReturnValuesOnConditionCheckFailure?: string };
  return { operation: `${name}Item`, input };
}

// updateOf sets and removes what differs. It returns undefined if that is too much for an expression.
function updateOf(base: Item, mine: Item): { text: string; names: { [name: string]: string }; values: Item } | undefined {
  const changed = changedNames(base, mine);
  const names = Object.fromEntries(changed.map((name, i) => [`#u${i}`, name]));
  const sets = changed.flatMap((name, i) => (attribute(mine, name) ? [i] : []));
  const removes = changed.flatMap((name, i) => (attribute(mine, name) ? [] : [i]));
  const values = Object.fromEntries(sets.map((i) => [`:u${i}`, attribute(mine, changed[i]!)!]));
  const text = [
    sets.length > 0 ? "SET " + sets.map((i) => `#u${i} = :u${i}`).join(", ") : "",
    removes.length > 0 ? "REMOVE " + removes.map((i) => `#u${i}`).join(", ") : "",
  ].join(" ").trim();
  return text.length > maxText || changed.length > maxOperators ? undefined : { text, names, values };
}

/** The transactions in which edits are sent: as many as fit into each. */
export function partsOf(edits: Edit[]): Edit[][] {
  const parts: Edit[][] = [];
  let room = 0;
  for (const edit of edits) {
    const size = Math.max(bytesOf(edit.base), bytesOf(edit.mine));
    if (parts.length === 0 || size > room || parts.at(-1)!.length === maxActions) {
      parts.push([]);
      room = maxBytes;
    }
    parts.at(-1)!.push(edit);
    room -= size;
  }
  return parts;
}

// bytesOf is at least the size of an item, as its JSON is longer.
const bytesOf = (item: Item | undefined) => (item ? new TextEncoder().encode(JSON.stringify(item)).length : 0);

/** Why an action of a transaction was refused. */
export interface Reason {
  Code?: string;
  Message?: string;
  Item?: Item;
}

/** Edits of a transaction that was not applied, with the conflicts and the problems among them. */
export class Refused extends Error {
  constructor(readonly edits: Edit[]) {
    super("TransactionCanceledException");
  }
}

const maxTries = 6;
const passing = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];

/** Sends edits in one transaction: all of them are applied, or none is. It throws Refused if it was cancelled. */
export async function sendPart(table: TableDescription, edits: Edit[]): Promise<void> {
  const actions = edits.map((edit) => actionOf(table, edit));
  for (let tries = 1, wait = 50; ; tries++, wait *= 2) {
    try {
      await call("TransactWriteItems", { TransactItems: actions }, { tells: true });
      return;
    } catch (error) {
      const reasons = reasonsOf(error);
      if (!reasons) throw error;
      const passes = reasons.every((r) => r.Code === "None" || passing.includes(r.Code ?? ""));
      if (!passes) throw new Refused(await Promise.all(edits.map((edit, i) => refused(table, edit, reasons[i]))));
      if (tries === maxTries) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

/** The reasons of a transaction that was cancelled, one for each action; undefined for other errors. */
export function reasonsOf(error: unknown): Reason[] | undefined {
  if (!(error instanceof ServiceError) || error.type !== "TransactionCanceledException") return undefined;
  return error.body["CancellationReasons"] as Reason[] | undefined;
}

async function refused(table: TableDescription, edit: Edit, reason: Reason | undefined): Promise<Edit> {
  const { base, mine } = edit;
  const own = { ...(base ? { base } : {}), ...(mine ? { mine } : {}), ...(edit.tab ? { tab: edit.tab } : {}) };
  if (!reason?.Code || reason.Code === "None") return own;
  if (reason.Code !== "ConditionalCheckFailed") return { ...own, problem: reason.Message ?? reason.Code };
  const theirs = reason.Item ?? (await readItem(table, mine ?? base!));
  return { ...own, conflict: theirs ? { theirs } : {} };
}

const movedTogether = maxActions / 2; // each is put and deleted

/**
 * Moves items from one table to another, in transactions: what is there already, or has changed since
 * it was read, is refused with the others of its transaction. It says which items were moved.
 */
export async function moveItems(from: string, to: string, items: Item[], moved: (items: Item[]) => void): Promise<void> {
  const [source, target] = await Promise.all([describeTable(from), describeTable(to)]);
  const parts = partsOf(items.map((base) => ({ base })));
  for (const part of parts) {
    for (let i = 0; i < part.length; i += movedTogether) {
      const some = part.slice(i, i + movedTogether);
      const puts = some.map((edit) => actionOf(target, { mine: edit.base! }));
      await call("TransactWriteItems", { TransactItems: [...puts, ...some.map((edit) => actionOf(source, edit))] });
      moved(some.map((edit) => edit.base!));
    }
  }
}

/** Reads an item by its key. as is another access key, whose table has it. */
export async function readItem(table: TableDescription, key: Item, as?: string): Promise<Item | undefined> {
  const out = await call<{ Item?: Item }>("GetItem", {
    TableName: table.TableName,
    Key: keyOf(table.KeySchema, key),
    ConsistentRead: true,
  }, as ? { as } : {});
  return out.Item;
}
