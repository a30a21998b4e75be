// The tables of the present identity: their names, and descriptions of those that were looked at.

import { effect, signal, untracked } from "@preact/signals";
import { call, describeTable, explain, isError, type TableDescription } from "../api/dynamodb";
import { identity } from "./identity";
import { inOrder } from "./order";
import { session } from "./session";

export interface TableInfo {
  table: TableDescription;
  ttl?: string; // the attribute, "" if TTL is off; undefined if it could not be read
}

export const tableNames = signal<string[]>([]);
export const tablesLoading = signal(false);
export const tablesError = signal("");

/** Descriptions by name. undefined is one that is on its way. */
export const tableInfos = signal<Map<string, TableInfo | undefined>>(new Map());

let generation = 0;

/** How often all tables were read anew: who shows one reads it again. */
export const tableRounds = signal(0);

/** Reads the names of all tables anew. Descriptions follow when somebody looks at them. keep leaves those that are there. */
export async function loadTables(keep = false): Promise<void> {
  if (keep) return refreshNames();
  const own = ++generation;
  tablesLoading.value = true;
  tablesError.value = "";
  queue.length = 0;
  tableInfos.value = new Map();
  tableRounds.value++;
  try {
    const names: string[] = [];
    let from: string | undefined;
    do {
      const page: { TableNames: string[]; LastEvaluatedTableName?: string } = await call("ListTables", {
        Limit: 100,
        ...(from ? { ExclusiveStartTableName: from } : {}),
      });
      if (own !== generation) return;
      names.push(...page.TableNames);
      from = page.LastEvaluatedTableName;
      if (names.length <= 100) tableNames.value = [...names]; // show the first ones at once
    } while (from);
    tableNames.value = names;
  } catch (error) {
    if (own === generation) {
      tableNames.value = [];
      tablesError.value = explain(error);
    }
  } finally {
    if (own === generation) tablesLoading.value = false;
  }
}

const lists = inOrder();

/** Reads the names of all tables anew, and keeps what is shown of them meanwhile. */
export async function refreshNames(): Promise<void> {
  const isNew = lists();
  const names: string[] = [];
  let from: string | undefined;
  try {
    do {
      const page: { TableNames: string[]; LastEvaluatedTableName?: string } = await call("ListTables", { Limit: 100, ...(from ? { ExclusiveStartTableName: from } : {}) });
      names.push(...page.TableNames);
      from = page.LastEvaluatedTableName;
    } while (from);
    if (!isNew()) return;
    tableNames.value = names;
    tablesError.value = "";
  } catch (error) {
    if (isNew()) tablesError.value = explain(error);
  }
}

// A few descriptions are read at a time: those asked for last come first, as they are in sight.
const queue: string[] = [];
const maxReading = 6;
let reading = 0;

/** Has the description of a table read, unless it was. */
export function want(name: string): void {
  if (tableInfos.peek().has(name)) return;
  tableInfos.peek().set(name, undefined);
  queue.push(name);
  next();
}

function next(): void {
  while (reading < maxReading && queue.length > 0) {
    reading++;
    void read(queue.pop()!).finally(() => {
      reading--;
      next();
    });
  }
}

async function read(name: string): Promise<void> {
  const own = generation;
  try {
    const info = await infoOf(name);
    if (own === generation) publish(name, info);
  } catch (error) {
    if (own !== generation) return;
    if (isError(error, "ResourceNotFoundException")) tableNames.value = tableNames.value.filter((n) => n !== name);
    else tablesError.value = explain(error);
  }
}

async function infoOf(name: string): Promise<TableInfo> {
  const [table, ttl] = await Promise.all([describeTable(name), timeToLive(name)]);
  return ttl === undefined ? { table } : { table, ttl };
}

async function timeToLive(name: string): Promise<string | undefined> {
  try {
    const out = await call<{ TimeToLiveDescription?: { TimeToLiveStatus?: string; AttributeName?: string } }>("DescribeTimeToLive", {
      TableName: name,
    });
    const ttl = out.TimeToLiveDescription;
    return ttl?.TimeToLiveStatus === "ENABLED" ? (ttl.AttributeName ?? "") : "";
  } catch {
    return undefined; // a caller may describe tables and not this
  }
}

let published: ReturnType<typeof setTimeout> | undefined;

// publish shows new descriptions, those that arrive together at once.
function publish(name: string, info: TableInfo): void {
  tableInfos.peek().set(name, info);
  published ??= setTimeout(() => {
    published = undefined;
    tableInfos.value = new Map(tableInfos.peek());
  }, 16);
}

const questions = new Map<string, ReturnType<typeof inOrder>>(); // by the name of a table

/** Reads the description of a table anew. */
export async function refreshTable(name: string): Promise<TableInfo> {
  const own = generation;
  const isNew = (questions.get(name) ?? questions.set(name, inOrder()).get(name)!)();
  const info = await infoOf(name);
  if (isNew() && own === generation) tableInfos.value = new Map(tableInfos.peek()).set(name, info);
  return info;
}

effect(() => {
  if (!session.value) return;
  void identity.value; // other tables
  untracked(() => void loadTables());
});
