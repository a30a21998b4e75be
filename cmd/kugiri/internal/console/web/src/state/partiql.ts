// The draft of PartiQL statements, and the requests that it stands for.

import type { Call } from "../api/code";
import type { OperandType } from "../api/filter";
import { describeTable, type TableDescription } from "../api/dynamodb";
import { splitStatements, type Statement } from "../api/partiql";
import { targetOf, writtenKey } from "../api/partiql_keys";
import type { Place } from "../api/read_items";
import { typedValue } from "../api/typed";
import type { AttributeValue, TypeName } from "../api/values";
import type { Query } from "./route";

/** How several statements are sent. */
export const modes = ["each", "batch", "transaction"] as const;
export type Mode = (typeof modes)[number];

export interface Parameter {
  type: OperandType;
  value: string;
}

export interface PartiQLDraft {
  text: string;
  mode: Mode;
  parameters: Parameter[]; // of all statements, in their order
}

export function partiqlDraftOf(query: URLSearchParams): PartiQLDraft {
  const mode = modes.find((one) => one === query.get("mode")) ?? "each";
  return { text: query.get("q") ?? "", mode, parameters: parametersOf(query.get("parameters")) };
}

function parametersOf(text: string | null): Parameter[] {
  try {
    const list = JSON.parse(text ?? "[]") as Parameter[];
    return Array.isArray(list) ? list.filter((p) => typeof p?.value === "string") : [];
  } catch {
    return [];
  }
}

export function partiqlQuery(d: PartiQLDraft): Query {
  return {
    q: d.text,
    mode: d.mode === "each" ? undefined : d.mode,
    parameters: d.parameters.length ? JSON.stringify(d.parameters) : undefined,
  };
}

/** What a draft sends: a request for each statement, or one for all. It throws an error if a parameter cannot be read. */
export function callsOf(d: PartiQLDraft): { statements: Statement[]; calls: Call[] } {
  const statements = splitStatements(d.text);
  let next = 0;
  const inputs = statements.map((s) => {
    const values: AttributeValue[] = [];
    for (let i = 0; i < s.parameters; i++) {
      const { type, value } = d.parameters[next++] ?? { type: "S", value: "" };
      values.push(typedValue(type as TypeName, value));
    }
    return { Statement: s.text, ...(values.length ? { Parameters: values } : {}) };
  });
  if (inputs.length === 0) return { statements, calls: [] };
  if (d.mode === "batch") return { statements, calls: [{ operation: "BatchExecuteStatement", input: { Statements: inputs } }] };
  if (d.mode === "transaction") return { statements, calls: [{ operation: "ExecuteTransaction", input: { TransactStatements: inputs } }] };
  return { statements, calls: inputs.map((input) => ({ operation: "ExecuteStatement", input })) };
}

interface Input {
  Statement: string;
  Parameters?: AttributeValue[];
}

const inputsOf = (calls: Call[]): Input[] =>
  calls.flatMap(({ input }) => {
    const { Statements, TransactStatements } = input as { Statements?: Input[]; TransactStatements?: Input[] };
    return Statements ?? TransactStatements ?? [input as Input];
  });

/** The tables that statements write to. */
export const targetsOf = (calls: Call[]) => [...new Set(inputsOf(calls).flatMap((one) => targetOf(one.Statement) || []))];

/** The items that statements write, undefined if the text of one does not say it, or names a table that is not there. */
export async function placesOf(calls: Call[]): Promise<Place[] | undefined> {
  const tables = await Promise.all(targetsOf(calls).map(async (name) => [name, await describeTable(name)] as const)).catch(() => []);
  return placesIn(calls, new Map(tables));
}

/** The items that statements write to tables that are known. */
export function placesIn(calls: Call[], tables: Map<string, TableDescription>): Place[] | undefined {
  const places = inputsOf(calls).flatMap(({ Statement, Parameters = [] }) => {
    const target = targetOf(Statement);
    if (target === undefined) return [];
    const table = tables.get(target);
    const key = table && writtenKey(Statement, Parameters, table);
    return [key && { table, key }];
  });
  return places.every((one) => one !== undefined) ? places : undefined;
}
