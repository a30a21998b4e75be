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

export interface DesignProof {
  report: { Rows: { [model: string]: number }; Patterns: { Name: string; Query: string; Requests: number; Items: number; ReadUnits: number; Planned: number; Failures: string[] | null }[]; Failures: string[] | null } | null;
  mutations: { Name: string; Found: string }[] | null;
}

interface LoadResult {
  Name: string;
  Requests: number;
  Throttled: number;
}

export interface DesignLoad {
  load: { Seconds: number; Patterns: LoadResult[] | null; Writes: LoadResult[] | null };
}

async function ask<T>(method: "GET" | "POST", query: string, body?: string, signal?: AbortSignal): Promise<T> {
  const answer = await send("design" + query, { method, ...(body === undefined ? {} : { body, headers: { "Content-Type": "text/plain" } }), ...(signal ? { signal } : {}) }, true);
  const out = (await answer.json()) as T & { message?: string };
  if (!answer.ok) throw new Error(out.message ?? answer.statusText);
  return out;
}

export const exampleDesign = async () => (await ask<{ design: string }>("GET", "")).design;
export const planDesign = (text: string, signal?: AbortSignal) => ask<DesignPlan>("POST", "?do=plan", text, signal);
/** The server ends both when signal does. */
export const verifyDesign = (text: string, signal: AbortSignal) => ask<DesignProof>("POST", "?do=verify", text, signal);
export const loadDesign = (text: string, signal: AbortSignal) => ask<DesignLoad>("POST", "?do=load", text, signal);

/** A design out of a model of NoSQL Workbench, OneTable, ElectroDB or another tool. */
export const designFrom = async (text: string) => (await ask<{ design: string }>("POST", "?do=from", text)).design;
