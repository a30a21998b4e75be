// What the editor of PartiQL proposes: words, tables and indexes, and attributes of the tables that
// the text names.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { endOfTokens } from "../api/partiql";
import { parsePath, pathsOf } from "../api/paths";
import { indexesOf } from "../api/schema";
import { functions, keywords } from "../components/partiql_words";
import { sampleOf } from "./paths";
import { refreshTable, tableInfos, tableNames } from "./tables";

const maxTables = 4; // of a text, whose attributes are proposed

interface Known {
  indexes: string[];
  paths: string[];
}

const known = new Map<string, Known>();

/** Forgets what tables have: they are others, or have changed. */
export const forgetNames = () => known.clear();

export async function completePartiQL(context: CompletionContext): Promise<CompletionResult | null> {
  const at = wordAt(context.state.sliceDoc(0, context.pos));
  if (!at) return null;
  const { from, typed, before } = at;
  const table = /"((?:[^"]|"")+)"\.$/.exec(before)?.[1]?.replaceAll('""', '"');
  if (table !== undefined && tableNames.value.includes(table)) {
    const { indexes } = await namesOf(table);
    return { from, options: indexes.map((name) => option(quoted(name), "property", typed)), validFor };
  }
  if (typed === "" && !context.explicit) return null;
  if (/\b(from|into|update)\s+$/i.test(before)) {
    return { from, options: tableNames.value.map((name) => option(quoted(name), "class", typed)), validFor };
  }
  const found = await Promise.all(mentioned(context.state.doc.toString()).map(namesOf));
  const words = typed.startsWith('"') ? [] : [
    ...keywords.split(" ").map((one) => ({ label: one.toUpperCase(), type: "keyword" })),
    ...functions.split(" ").map((one) => ({ label: one, type: "function" })),
  ];
  const paths = [...new Set(found.flatMap((one) => one.paths))];
  return { from, options: [...paths.map((one) => option(one, "variable", typed)), ...words], validFor };
}

const validFor = /^"?[^"]*$/; // proposals stay while this is typed

interface Word {
  from: number;
  typed: string; // with the quote that begins it, if there is one
  before: string;
}

// wordAt returns the word that a text ends with, undefined if it ends inside of a value or a comment.
function wordAt(text: string): Word | undefined {
  const tail = text.slice(endOfTokens(text));
  if (/'|--|\/\*/.test(tail)) return undefined;
  const typed = /"[^"]*$|[\w-]*$/.exec(tail)![0];
  const from = text.length - typed.length;
  return { from, typed, before: text.slice(0, from) };
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

// mentioned returns the tables that a text names.
function mentioned(text: string): string[] {
  const names = new Set([...text.matchAll(/"((?:[^"]|"")+)"|[\w.-]+/g)].map((m) => m[1]?.replaceAll('""', '"') ?? m[0]));
  return tableNames.value.filter((name) => names.has(name)).slice(0, maxTables);
}

async function namesOf(table: string): Promise<Known> {
  const had = known.get(table);
  if (had) return had;
  const [items, info] = await Promise.all([sampleOf(table), tableInfos.peek().get(table) ?? refreshTable(table)]);
  const keys = info.table.AttributeDefinitions.map((a) => quoted(a.AttributeName));
  const names = { indexes: indexesOf(info.table).map((one) => one.IndexName), paths: [...new Set([...keys, ...[...pathsOf(items).keys()].map(pathText)])] };
  known.set(table, names);
  return names;
}

// pathText writes a path for PartiQL. Names are in quotes, as any of them can be a reserved word.
function pathText(path: string): string {
  return parsePath(path).map((one, i) => (typeof one === "number" ? `[${one}]` : (i > 0 ? "." : "") + quoted(one))).join("");
}

// option proposes a text. Its name is found with a quote before it, and without one. The quote that
// the editor has closed by itself goes.
function option(text: string, type: string, typed: string): Completion {
  return {
    label: typed.startsWith('"') ? text : text.replaceAll('"', ""),
    displayLabel: text.replaceAll('"', ""),
    type,
    apply: (view, _, from, to) => {
      const end = typed.startsWith('"') && view.state.sliceDoc(to, to + 1) === '"' ? to + 1 : to;
      view.dispatch({ changes: { from, to: end, insert: text }, selection: { anchor: from + text.length } });
    },
  };
}
