// What forms read of a design file, whose parts may be anything while somebody writes them.

import type { DesignChange, Fields } from "../../api/design";

export const fieldsOf = (v: unknown): Fields => (typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Fields) : {});
export const listOf = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);
export const textOf = (v: unknown): string => (v === undefined || v === null ? "" : typeof v === "object" ? JSON.stringify(v) : String(v));

/** Names as people write a list of them: with commas, or in JSON if a name has one. */
export function namesText(v: unknown): string {
  const names = listOf(v).map(textOf);
  return names.some((one) => /[,[]/.test(one)) ? JSON.stringify(names) : names.join(", ");
}

export function namesOf(text: string): string[] | null {
  const names = text.trim().startsWith("[") ? (JSON.parse(text) as string[]) : text.split(",").map((one) => one.trim()).filter(Boolean);
  return names.length > 0 ? names : null;
}

/** What a field for a number has: a text that is none is kept, and the design says what is wrong. */
export const numberOf = (text: string): unknown => (text.trim() === "" ? null : Number.isFinite(Number(text)) ? Number(text) : text);

/** The names of fields that a form does not show. */
export const others = (of: Fields, shown: string[]) => Object.keys(of).filter((name) => !shown.includes(name));

export const attributeName = (v: unknown) => (typeof v === "string" ? v : textOf(fieldsOf(v)["name"]));
export const attributesOf = (model: unknown) => listOf(fieldsOf(model)["attributes"]);

/** A name that none of the others has. */
export function newName(base: string, taken: string[]): string {
  let name = base;
  for (let n = 2; taken.includes(name); n++) name = base + n;
  return name;
}

/** The changes that give a model another name, wherever it is named. */
export function renameModel(design: Fields, at: number, to: string): DesignChange[] {
  const from = textOf(fieldsOf(listOf(design["models"])[at])["name"]);
  const found = places(design, at, (v, place) => {
    const alone = v === from && /\.(model|models\[\d+\]|through|counts|puts\[\d+\]|updates\[\d+\])$/.test(place);
    const owner = v.startsWith(from + ".") && /\.attributes\[\d+\]\.(of|counts|sums|numbers|last)$/.test(place);
    return alone || owner ? to + v.slice(from.length) : undefined;
  });
  return [{ path: `models[${at}].name`, value: to }, ...found];
}

/** The changes that give an attribute of a model another name, wherever it is named. */
export function renameAttribute(design: Fields, at: number, attribute: number, to: string): DesignChange[] {
  const model = fieldsOf(listOf(design["models"])[at]);
  const [owner, one] = [textOf(model["name"]), attributesOf(model)[attribute]];
  const from = attributeName(one);
  const found = places(design, at, (v, place, reader) => {
    if (/\.(of|counts|sums|numbers|last)$/.test(place) && v === `${owner}.${from}`) return `${owner}.${to}`;
    if (reader !== owner) return undefined;
    if (/^models\[\d+\]\.primary$/.test(place)) return renamedPart(v, from, to);
    if (v === from && /^models\[\d+\]\.attributes\[\d+\]\.by$/.test(place)) return to;
    return v === from && /\.(key\[\d+\]|ttl|unique\[.+\]|updates\[\d+\]\.of(\[\d+\])?|equal\[\d+\]|filter\[\d+\]|takes(\[\d+\])?|gives(\[\d+\])?|range|begins|order|similar|attributes\[\d+\]|of(\[\d+\])?)$/.test(place)
      && !/^models\[\d+\]\.attributes/.test(place) ? to : undefined;
  });
  const path = `models[${at}].attributes[${attribute}]`;
  return [{ path: typeof one === "string" ? path : path + ".name", value: to }, ...found, ...renamedKeys(design, owner, from, to)];
}

// renamedPart renames an attribute in a primary key as plans write it, such as (customer, placed+id).
function renamedPart(key: string, from: string, to: string): string | undefined {
  const renamed = key.split(/([(),+]\s*)/).map((part) => (part === from ? to : part)).join("");
  return renamed === key ? undefined : renamed;
}

// renamedKeys changes the names in where, in and latest, which are names of fields.
function renamedKeys(design: Fields, owner: string, from: string, to: string): DesignChange[] {
  const changes: DesignChange[] = [];
  const rename = (of: Fields, field: string, reader: string, path: string) => {
    const named = fieldsOf(of[field]);
    if (reader !== owner || !(from in named)) return;
    const all = `${path}.${field}`;
    if (Object.keys(named).length === 1) changes.push({ path: all, value: { [to]: named[from] } });
    else changes.push({ path: `${all}.${from}`, value: null }, { path: `${all}.${to}`, value: named[from] }); // the others stay as they are written
  };
  listOf(design["patterns"]).map(fieldsOf).forEach((p, i) => {
    rename(p, "where", readerOf(p), `patterns[${i}]`);
    rename(p, "in", readerOf(p), `patterns[${i}]`);
    rename(p, "latest", childOf(p), `patterns[${i}]`);
  });
  listOf(design["models"]).forEach((m, i) =>
    attributesOf(m).map(fieldsOf).forEach((a, j) => {
      const counted = textOf(a["counts"] ?? a["sums"]).split(".")[0] ?? "";
      rename(a, "where", counted, `models[${i}].attributes[${j}]`);
    }),
  );
  return changes;
}

/** The second model that a pattern reads: that of the children. */
export const childOf = (pattern: Fields) => textOf(listOf(pattern["models"])[1]);

/** The model whose attributes a pattern names. */
export const readerOf = (pattern: Fields) => textOf(pattern["model"] ?? listOf(pattern["models"])[0]);

// The fields whose own fields have names of attributes or of states, and values that name nothing: see renamedKeys.
const keyed = ["where", "in", "latest", "stays"];

type Renaming = (value: string, place: string, reader: string) => string | undefined;

// places renames texts of a design: value is one, place its path, and reader the model whose attributes are named there.
function places(design: Fields, at: number, renamed: Renaming): DesignChange[] {
  const changes: DesignChange[] = [];
  let through = ""; // the model whose attributes the equal of a feed names
  const walk = (v: unknown, place: string, reader: string) => {
    if (typeof v === "string") {
      const value = renamed(v, place, reader);
      if (value !== undefined) changes.push({ path: place, value });
    } else if (Array.isArray(v)) v.forEach((one, i) => walk(one, `${place}[${i}]`, reader));
    else for (const [name, one] of Object.entries(fieldsOf(v))) if (!keyed.includes(name) && !/[.[]/.test(name)) walk(one, `${place}.${name}`, name === "equal" && through ? through : reader);
  };
  listOf(design["models"]).forEach((m, i) => walk(m, `models[${i}]`, i === at ? textOf(fieldsOf(m)["name"]) : ""));
  listOf(design["patterns"]).forEach((p, i) => {
    through = textOf(fieldsOf(p)["through"]);
    walk(p, `patterns[${i}]`, readerOf(fieldsOf(p)));
  });
  through = "";
  listOf(design["transactions"]).forEach((one, i) => {
    for (const list of ["puts", "updates"]) listOf(fieldsOf(one)[list]).forEach((w, j) => walk(w, `transactions[${i}].${list}[${j}]`, textOf(fieldsOf(w)["model"])));
  });
  return changes;
}
