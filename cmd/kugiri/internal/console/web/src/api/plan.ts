// Plans of requests: what Kugiri says that a request would read and consume. Nothing is carried out.

import { admin } from "./admin";
import { caller } from "./caller";

export interface Plan {
  operation: string;
  error?: string;
  message?: string;
  readUnits: number;
  writeUnits: number;
  evaluated: number;
  returned: number;
  written: number;
  more: boolean; // there is more to read
  capacity: { table: string; index?: string; read: number; write: number }[];
  reads: { table: string; index?: string; scan: boolean; keyCondition?: string; filter?: string }[];
  why: string[];
  access?: { action: string; resource: string; allowed: boolean; by?: string }[];
}

/** The plan of a request of the present identity. A fork has an admin API of its own. */
export function planOf(operation: string, request: object): Promise<Plan> {
  const { accessKey, region, isFork } = caller();
  const path = isFork() ? `forks/${encodeURIComponent(accessKey)}/explain` : "explain";
  return admin<Plan>("POST", path, { accessKey: accessKey || "console", region, operation, request });
}
