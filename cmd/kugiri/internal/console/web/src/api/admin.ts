// The admin API: what only Kugiri has. Its document is at /_kugiri/openapi.json.

import { send } from "./http";
import { written } from "./written";

const prefix = "/_kugiri/";

/** An error that the admin API answered. */
export class AdminError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export interface Namespace {
  accessKey: string; // "" if all callers see the same
  region: string;
  tables: number;
}

export interface Overview {
  clock: { now: string; held: boolean };
  accessKeys: string[];
  namespaces?: Namespace[];
  snapshots: { name: string; time: string }[];
  faults: { id: string; hits: number; missed?: boolean; fault: unknown }[];
  policy?: boolean; // requests have to keep the rules of one
  forks?: { accessKey: string; from?: string; snapshot?: string; clock?: string }[];
}

// Restored snapshots, and clocks by which items expire.
const changesItems = /(^|\/)(clock(\/advance)?|snapshots\/[^/]+\/restore|reset)$/;

/** Sends a request to a path of the API, such as "snapshots". */
export async function admin<Output>(method: string, path: string, body?: object): Promise<Output> {
  const answer = await send(prefix + path, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {}),
  });
  const text = await answer.text();
  let out: Record<string, unknown> = {};
  try {
    out = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new AdminError(text.trim() || answer.statusText, answer.status);
  }
  if (!answer.ok) throw new AdminError(String(out["error"] ?? out["message"] ?? answer.statusText), answer.status);
  if (method !== "GET" && changesItems.test(path)) written();
  return out as Output;
}

export const overview = () => admin<Overview>("GET", "");
