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
    if (!/(^|\.)(model|models\[\d+\]|of|counts|sums|numbers|last|puts\[\d+\]|updates\[\d+\])$/.test(place) || /^models\[\d+\]\.updates/.test(place)) return undefined;
    return v === from ? to : v.startsWith(from + ".") ? to + v.slice(from.length) : undefined;
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
    if (reader === owner && v === from && /^models\[\d+\]\.attributes\[\d+\]\.by$/.test(place)) return to;
    return reader === owner && v === from && /\.(key\[\d+\]|ttl|unique\[.+\]|updates\[\d+\]\.of(\[\d+\])?|equal\[\d+\]|filter\[\d+\]|takes(\[\d+\])?|gives(\[\d+\])?|range|begins|order|similar|attributes\[\d+\]|of(\[\d+\])?)$/.test(place)
      && !/^models\[\d+\]\.attributes/.test(place) ? to : undefined;
  });
  const path = `models[${at}].attributes[${attribute}]`;
  return [{ path: typeof one === "string" ? path : path + ".name", value: to }, ...found, ...renamedKeys(design, owner, from, to)];
}

// renamedKeys changes the names in where, in and latest, which are names of fields.
function renamedKeys(design: Fields, owner: string, from: string, to: string): DesignChange[] {
  const changes: DesignChange[] = [];
  const rename = (of: Fields, field: string, reader: string, path: string) => {
    const named = fieldsOf(of[field]);
    if (reader !== owner || !(from in named)) return;
    changes.push({ path: `${path}.${field}`, value: Object.fromEntries(Object.entries(named).map(([name, v]) => [name === from ? to : name, v])) });
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

type Renaming = (value: string, place: string, reader: string) => string | undefined;

// places renames texts of a design: value is one, place its path, and reader the model whose attributes are named there.
function places(design: Fields, at: number, renamed: Renaming): DesignChange[] {
  const changes: DesignChange[] = [];
  const walk = (v: unknown, place: string, reader: string) => {
    if (typeof v === "string") {
      const value = renamed(v, place, reader);
      if (value !== undefined) changes.push({ path: place, value });
    } else if (Array.isArray(v)) v.forEach((one, i) => walk(one, `${place}[${i}]`, reader));
    else for (const [name, one] of Object.entries(fieldsOf(v))) if (!/[.[]/.test(name)) walk(one, `${place}.${name}`, reader);
  };
  listOf(design["models"]).forEach((m, i) => walk(m, `models[${i}]`, i === at ? textOf(fieldsOf(m)["name"]) : ""));
  listOf(design["patterns"]).forEach((p, i) => walk(p, `patterns[${i}]`, readerOf(fieldsOf(p))));
  listOf(design["transactions"]).forEach((one, i) => {
    for (const list of ["puts", "updates"]) listOf(fieldsOf(one)[list]).forEach((w, j) => walk(w, `transactions[${i}].${list}[${j}]`, textOf(fieldsOf(w)["model"])));
  });
  return changes;
}
