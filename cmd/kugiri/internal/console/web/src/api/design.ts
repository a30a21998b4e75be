// What the server of the page makes of a design file: a plan, a proof, a load.

import { send } from "./http";

export interface DesignKey {
  name: string; // "" for the table
  local?: boolean;
  partition: string;
  sort?: string;
  models: string[];
  projection?: string;
  dollars: number;
}

export interface DesignPattern {
  name: string;
  models: string[] | null;
  operation: string;
  index: string;
  query: string;
  readUnits: number; // per second
  dollars: number;
}

export interface DesignPlan {
  table: string;
  keys: DesignKey[]; // of the table, then of its indexes
  items: { model: string; values: { [attribute: string]: unknown } }[];
  patterns: DesignPattern[];
  notes: { about?: string; text: string; warning?: boolean }[];
  dollars: number; // of a month on demand
  createTable: object;
}

/** A part of a proof or a load, as it comes. */
export interface DesignProof {
  rows?: number; // stored so far
  report?: { Rows: { [model: string]: number }; Patterns: { Name: string; Query: string; Requests: number; Items: number; ReadUnits: number; Planned: number; Failures: string[] | null }[]; Writes: { Name: string; Requests: string; Orders: number; Failures: string[] | null; Untried?: string[] }[] | null; Failures: string[] | null };
  mutations?: { Name: string; Found: string }[];
  load?: DesignLoad;
  message?: string; // why there is no result
}

interface LoadResult {
  Name: string;
  Requests: number;
  Throttled: number;
}

export interface DesignLoad {
  Seconds: number;
  Patterns: LoadResult[] | null;
  Writes: LoadResult[] | null;
}

/** What an object of a design file has. It may be anything: somebody is writing it. */
export type Fields = { [name: string]: unknown };

/** A change of the field at a path, such as models[0].key; null removes it. */
export interface DesignChange {
  path: string;
  value: unknown;
}

const post = (query: string, body: string, signal?: AbortSignal) =>
  send("design" + query, { method: "POST", body, headers: { "Content-Type": "text/plain" }, ...(signal ? { signal } : {}) }, true);

async function read<T>(answer: Response): Promise<T> {
  const out = (await answer.json()) as T & { message?: string };
  if (!answer.ok) throw new Error(out.message ?? answer.statusText);
  return out;
}

const ask = async <T>(query: string, body: string, signal?: AbortSignal) => read<T>(await post(query, body, signal));

export const exampleDesign = async () => (await read<{ design: string }>(await send("design"))).design;
export const planDesign = (text: string, signal?: AbortSignal) => ask<DesignPlan>("?do=plan", text, signal);

/** What a file says, even if it is no design yet. */
export const designValues = (text: string, signal?: AbortSignal) => ask<Fields>("?do=values", text, signal);

/** A design with changes. All else of its text stays as it is. */
export const editDesign = async (design: string, changes: DesignChange[]) => (await ask<{ design: string }>("?do=edit", JSON.stringify({ design, changes }))).design;

/** A design out of a model of NoSQL Workbench, OneTable, ElectroDB or another tool. */
export const designFrom = (text: string) => ask<DesignDraft>("?do=from", text);

/** A design that is made of something else. */
export interface DesignDraft {
  design: string;
  models: number;
  patterns: number;
  checks: number; // fields with a comment that says what to check
  left: string[] | null; // what the other has and the design has not
}

/** Verifies a design, or sends its load. The parts of the result come as they are there. */
export async function proveDesign(what: "verify" | "load", text: string, onPart: (part: DesignProof) => void, signal: AbortSignal): Promise<void> {
  const answer = await post("?do=" + what, text, signal);
  if (!answer.ok || !answer.body) return void (await read(answer));
  const lines = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await lines.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop()!;
    for (const part of parts.map((line) => JSON.parse(line) as DesignProof)) {
      if (part.message) throw new Error(part.message);
      onPart(part);
    }
  }
}
