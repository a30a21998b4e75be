// Recorded requests, as the admin API tells of them.

import type { Item, AttributeValue } from "./values";

export interface ReadOfOperation {
  table: string;
  index?: string;
  scan: boolean;
  keyCondition?: string; // with ? in place of values
  values: AttributeValue[];
  filter?: string;
  descending: boolean;
  evaluated: number;
  returned: number;
}

/** A request and its answer. */
export interface Operation {
  id: number;
  time: string;
  milliseconds: number;
  operation: string;
  tables: string[];
  accessKey: string;
  region: string;
  status: number;
  error?: string;
  message?: string;
  requestId: string;
  requestBytes: number;
  responseBytes: number;
  readUnits: number;
  writeUnits: number;
  evaluated: number;
  returned: number;
  written: number;
  items: { table: string; key: Item }[];
  reads: ReadOfOperation[];
}

/** The bodies of a request and of its answer. */
export interface Exchange {
  request: string;
  answer: string;
  kept: boolean; // false: they had to make room for later ones
  requestWhole: boolean;
  answerWhole: boolean;
}

export interface Operations {
  since: string;
  last: number;
  missed: number;
  operations: Operation[];
}

export interface ReadReport {
  operation: string;
  table: string;
  index?: string;
  scan: boolean;
  keyCondition?: string;
  filter?: string;
  pages: number;
  evaluated: number;
  returned: number;
  units: number;
  why: string[];
}

export interface PartitionReport {
  table: string;
  index?: string;
  key: string;
  units: number;
  share: number;
}

/** What a recording has counted. */
export interface Traffic {
  since: string;
  until: string;
  requests: number;
  readUnits: number;
  writeUnits: number;
  operations: { operation: string; table?: string; requests: number; errors?: { [type: string]: number } }[];
  latencies: { operation: string; requests: number; p50: number; p90: number; p99: number; max: number }[];
  capacity: { operation: string; table: string; index?: string; read: number; write: number }[];
  reads: ReadReport[];
  partitions: PartitionReport[];
}

/** How often requests for one entity of one table and tenant broke a rule of the policy. */
export interface Finding {
  rule: string;
  severity: "warn" | "enforce";
  table: string;
  index?: string;
  entity?: string;
  tenant?: string;
  operation: string;
  key: string;
  example: string;
  count: number;
  last: string;
}

const throttles = new Set(["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"]);

/** Whether an error says that a limit of throughput was reached. */
export const isThrottle = (error: string) => throttles.has(error);

/** How many errors of a kind a recording has. */
export function errorsOf(traffic: Traffic, counts: (type: string) => boolean): number {
  let sum = 0;
  for (const o of traffic.operations) {
    for (const [type, n] of Object.entries(o.errors ?? {})) if (counts(type)) sum += n;
  }
  return sum;
}
