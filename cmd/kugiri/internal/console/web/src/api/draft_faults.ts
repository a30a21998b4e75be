// What is wrong with drafts of attribute values.

import { parse, type BinaryForm } from "./binary";
import { memberTypes, type Draft } from "./draft";

/** What is wrong with a draft. */
export type Fault = "name" | "twice" | "number" | "digits" | "binary" | "empty" | "key" | "keyType" | "sameKey";

/** Faults of drafts, by their ids. Those of the drafts of an item or a map have names. */
export function faultsOf(drafts: Draft[], keys: { [attribute: string]: string } = {}, named = true): Map<number, Fault> {
  const faults = new Map<number, Fault>();
  const seen = new Set<string>();
  for (const draft of drafts) {
    const fault = (named && nameFault(draft, seen)) || keyFault(draft, keys) || ownFault(draft);
    if (fault) faults.set(draft.id, fault);
    for (const [id, one] of memberFaults(draft)) faults.set(id, one);
  }
  return faults;
}

function memberFaults(draft: Draft): Map<number, Fault> {
  if (draft.type === "M") return faultsOf(draft.members);
  return draft.type === "L" ? faultsOf(draft.members, {}, false) : setFaults(draft);
}

function nameFault(draft: Draft, seen: Set<string>): Fault | undefined {
  if (draft.name === "") return "name";
  if (seen.has(draft.name)) return "twice";
  seen.add(draft.name);
  return undefined;
}

function keyFault(draft: Draft, keys: { [attribute: string]: string }): Fault | undefined {
  if (!Object.hasOwn(keys, draft.name)) return undefined;
  if (keys[draft.name] !== draft.type) return "keyType";
  return draft.text === "" ? "key" : undefined;
}

function ownFault({ type, text, form, members }: Draft): Fault | undefined {
  if (type === "N") return numberFault(text);
  if (type === "B" && !isBinary(text, form)) return "binary";
  return memberTypes[type] && members.length === 0 ? "empty" : undefined;
}

function setFaults(draft: Draft): Map<number, Fault> {
  const faults = new Map<number, Fault>();
  if (!memberTypes[draft.type]) return faults;
  const seen = new Set<string>();
  for (const one of draft.members) {
    const fault = ownFault(one) ?? (seen.has(one.text) ? "twice" : undefined);
    if (fault) faults.set(one.id, fault);
    seen.add(one.text);
  }
  return faults;
}

/** What is wrong with the text of a number. DynamoDB has 38 digits. */
export function numberFault(text: string): Fault | undefined {
  const parts = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.exec(text.trim());
  if (!parts) return "number";
  const digits = parts[1]!.replace(".", "").replace(/^0+/, "").replace(/0+$/, "");
  return digits.length > 38 ? "digits" : undefined;
}

function isBinary(text: string, form: BinaryForm): boolean {
  try {
    parse(text, form);
    return true;
  } catch {
    return false;
  }
}
