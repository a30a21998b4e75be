// The capacity that the requests of the page have consumed, counted where it costs somebody money.

import { signal } from "@preact/signals";

/** Capacity units since the page was loaded. */
export const spent = signal({ read: 0, write: 0 });

let counts = false;

/** Has all requests count what they consume. */
export function countUnits(): void {
  counts = true;
}

const reads = new Set(["GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems"]);
const writes = new Set(["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"]);
const either = new Set(["ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"]);

/** A request that asks what it consumes, if that is counted. */
export function counted(operation: string, input: object): object {
  const known = reads.has(operation) || writes.has(operation) || either.has(operation);
  return counts && known ? { ReturnConsumedCapacity: "TOTAL", ...input } : input;
}

interface Consumed {
  CapacityUnits?: number;
  ReadCapacityUnits?: number;
  WriteCapacityUnits?: number;
}

/** Adds what the answer of a request says that it consumed. */
export function add(operation: string, answer: Record<string, unknown>): void {
  const consumed = answer["ConsumedCapacity"] as Consumed | Consumed[] | undefined;
  if (!counts || !consumed) return;
  let { read, write } = spent.value;
  for (const one of Array.isArray(consumed) ? consumed : [consumed]) {
    const units = one.CapacityUnits ?? 0;
    if (writes.has(operation) || one.WriteCapacityUnits) write += one.WriteCapacityUnits ?? units;
    else read += units;
  }
  spent.value = { read, write };
}
