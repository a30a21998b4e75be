// What of the draft of a query would be left out of its request. Somebody who runs it is told, and
// nothing is sent: the answer would be that of another question.

import { partitionKeys, sortKeys, type Source } from "../api/schema";
import { t } from "../i18n";
import { hasPartition, type Draft } from "./draft";

export interface DraftFault {
  field: "filter" | "partition" | "sort" | "end" | "attributes";
  at: number; // which of them, from 0
  text: string;
}

/** The faults of a draft, in the order of the form. pending is an attribute to return that is not added yet. */
export function faultsOfDraft(d: Draft, source: Source, pending: string): DraftFault[] {
  if (d.request) return [];
  const faults = keyFaults(d, source);
  for (const [at, c] of d.filter.entries()) if (c.path.trim() === "") faults.push({ field: "filter", at, text: t("query.noAttribute", { at: at + 1 }) });
  if (pending.trim() !== "") faults.push({ field: "attributes", at: 0, text: t("query.pending") });
  return faults;
}

function keyFaults(d: Draft, source: Source): DraftFault[] {
  const partition = partitionKeys(source.keys);
  const sort = sortKeys(source.keys);
  const given = sort.map((_, at) => d.sort[at]!.value !== "");
  const last = given.lastIndexOf(true);
  const faults: DraftFault[] = [];
  if (!hasPartition(d, source) && (last >= 0 || partition.some((_, at) => d.partition[at] !== ""))) {
    const at = partition.findIndex((_, i) => d.partition[i] === "");
    faults.push({ field: "partition", at, text: t("query.partitionMissing", { key: partition[at]! }) });
  }
  for (const [at, key] of sort.entries()) {
    if (at < last && !given[at]) faults.push({ field: "sort", at, text: t("query.sortMissing", { key, later: sort[last]! }) });
    if (given[at] && d.sort[at]!.op === "between" && d.sort[at]!.to === "") faults.push({ field: "end", at, text: t("query.endMissing", { key }) });
  }
  return faults;
}

/** The text of a fault of a field, "" for none. */
export const faultText = (faults: DraftFault[], field: DraftFault["field"], at: number) => faults.find((f) => f.field === field && f.at === at)?.text ?? "";
