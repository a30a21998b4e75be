// Drafts: attribute values while somebody writes them, which need not be right yet.

import { decode64, encode64, parse, show, type BinaryForm } from "./binary";
import { open, type AttributeValue, type Item, type TypeName } from "./values";

export interface Draft {
  id: number; // no other draft has it
  name: string; // of an attribute or of a member of a map
  type: TypeName;
  text: string; // of S, N, B, BOOL
  form: BinaryForm; // of the text of B
  members: Draft[]; // of M, L and sets
}

export const typeNames: TypeName[] = ["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"];

/** The type of the members of sets. */
export const memberTypes: { [type: string]: TypeName } = { SS: "S", NS: "N", BS: "B" };

let lastId = 0;

/** A draft of a value that is not there yet. */
export function newDraft(name = "", type: TypeName = "S"): Draft {
  return { id: ++lastId, name, type, text: type === "BOOL" ? "true" : "", form: "base64", members: [] };
}

/** A new member of a draft of M, L or a set. */
export const newMember = (of: Draft) => newDraft("", memberTypes[of.type] ?? "S");

export function draftOf(name: string, value: AttributeValue): Draft {
  const [type, content] = open(value);
  const draft = newDraft(name, type);
  switch (type) {
    case "M":
      draft.members = draftsOf(content as Item);
      break;
    case "L":
      draft.members = (content as AttributeValue[]).map((one) => draftOf("", one));
      break;
    case "SS":
    case "NS":
    case "BS":
      draft.members = (content as string[]).map((one) => ({ ...newDraft("", memberTypes[type]), text: one }));
      break;
    default:
      draft.text = String(content);
  }
  return draft;
}

/** Drafts of the attributes of an item, first in order. */
export function draftsOf(item: Item, first: string[] = []): Draft[] {
  const names = [...first.filter((name) => Object.hasOwn(item, name)), ...Object.keys(item).filter((name) => !first.includes(name)).sort()];
  return names.map((name) => draftOf(name, item[name]!));
}

/** The value of a draft without faults. */
export function valueOf(draft: Draft): AttributeValue {
  const { type, text, members } = draft;
  switch (type) {
    case "S":
      return { S: text };
    case "N":
      return { N: text.trim() };
    case "B":
      return { B: parse(text, draft.form) };
    case "BOOL":
      return { BOOL: text === "true" };
    case "NULL":
      return { NULL: true };
    case "M":
      return { M: itemOf(members) };
    case "L":
      return { L: members.map(valueOf) };
    default:
      return { [type]: members.map((one) => open(valueOf(one))[1]) } as AttributeValue;
  }
}

export const itemOf = (drafts: Draft[]): Item => Object.fromEntries(drafts.map((one) => [one.name, valueOf(one)]));

/** Gives a draft another type. Its text and its members stay as far as that type has them. */
export function retype(draft: Draft, type: TypeName): void {
  if (draft.type === "B") draft.text = textOrNothing(draft);
  draft.type = type;
  if (type === "BOOL") draft.text = draft.text === "false" ? "false" : "true";
  draft.form = type === "B" ? "text" : "base64";
  const of = memberTypes[type];
  if (of) {
    draft.members = draft.members.filter((one) => one.members.length === 0);
    for (const one of draft.members) if (one.type !== of) retype(one, of);
  }
}

/** Writes the binary of a draft in another form. It does nothing if that cannot show it. */
export function reform(draft: Draft, form: BinaryForm): void {
  try {
    const base64 = parse(draft.text, draft.form);
    if (form === "text" && !isText(base64)) return;
    [draft.text, draft.form] = [show(base64, form), form];
  } catch {
    // the text is not in its form yet
  }
}

/** Whether a base64 text stands for UTF-8, so that it can be written as text. */
export function isText(base64: string): boolean {
  return encode64(new TextEncoder().encode(new TextDecoder().decode(decode64(base64)))) === base64;
}

function textOrNothing(draft: Draft): string {
  try {
    return show(parse(draft.text, draft.form), "text");
  } catch {
    return "";
  }
}
