// Reads items out of files: lines of DynamoDB's JSON as "kugiri export" and exports to S3 have them,
// JSON without types, the output of "aws dynamodb scan", CSV.

import { parseItem, parseValue } from "../api/item_json";
import type { TableDescription } from "../api/dynamodb";
import type { Item } from "../api/values";
import { t } from "../i18n";
import { columnOf, CSVSplitter, guessKind, valueOfCell, type CSVColumn, type CSVRecord } from "./csv";
import { parsePlain } from "../api/plain";
import { LineSplitter, ObjectSplitter, textOf, type Part } from "./text";

export type Form = "dynamodb" | "json" | "csv";

/** How the items of a file are written. */
export interface Layout {
  form: Form;
  splitter: "lines" | "objects" | "csv";
  depth: number; // of objects: 1 for a list, 2 for the list of an object
  columns: CSVColumn[]; // of CSV
}

/** An item of a file, or what is wrong with it. */
export interface Read {
  line: number;
  item?: Item;
  error?: string;
}

const beginning = 1 << 20; // characters, from which the layout is found
const sampled = 100; // records

/** Finds the layout of a file. */
export async function layoutOf(file: File, table: TableDescription, signal: AbortSignal): Promise<Layout> {
  let text = "";
  for await (const piece of textOf(file, signal)) {
    text += piece;
    if (text.length >= beginning) break;
  }
  text = text.replace(/^\ufeff/, "");
  if (/\.csv(\.gz)?$/i.test(file.name)) return csvLayout(text, table);
  const start = text.trimStart();
  const none = { columns: [] };
  if (start === "") return { form: "dynamodb", splitter: "lines", depth: 0, ...none };
  if (start[0] !== "{" && start[0] !== "[") throw new Error(t("read.unknown"));
  const line = start.slice(0, Math.max(0, start.indexOf("\n"))) || start;
  if (start[0] === "{" && isObject(line)) return { form: formOf(line), splitter: "lines", depth: 0, ...none };
  const depth = start[0] === "[" ? 1 : /^\{\s*"Items"\s*:\s*\[/.test(start) ? 2 : 0;
  const [first] = new ObjectSplitter(depth).push(start);
  return { form: first ? formOf(first.text) : "dynamodb", splitter: "objects", depth, ...none };
}

function isObject(line: string): boolean {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}

// formOf tells the two kinds of JSON apart: an item without types has its key, which is no object.
function formOf(text: string): Form {
  try {
    typedItem(text);
    return "dynamodb";
  } catch {
    return "json";
  }
}

function csvLayout(text: string, table: TableDescription): Layout {
  const [header, ...records] = new CSVSplitter().push(text.endsWith("\n") ? text : text + "\n").slice(0, sampled);
  const types = new Map(table.AttributeDefinitions.map((a) => [a.AttributeName, a.AttributeType as "S" | "N" | "B"]));
  const columns = (header?.cells ?? []).map((one, i) => {
    const { name, kind } = columnOf(one);
    return { name, kind: kind ?? types.get(name) ?? guessKind(records.map((r) => r.cells[i] ?? "")) };
  });
  const names = columns.map((c) => c.name);
  const bad = names.find((name, i) => name === "" || names.indexOf(name) !== i);
  if (bad !== undefined) throw new Error(bad === "" ? t("read.noColumn") : t("read.columnTwice", { column: bad }));
  return { form: "csv", splitter: "csv", depth: 0, columns };
}

interface Reading {
  signal: AbortSignal;
  progress?: (bytes: number) => void;
}

/** The items of a file, those of a piece of it at a time. */
export async function* readItems(file: File, layout: Layout, { signal, progress }: Reading): AsyncGenerator<Read[]> {
  const { push, end } = splitterOf(layout);
  let begun = false;
  for await (const piece of textOf(file, signal, progress)) {
    yield push(begun ? piece : piece.replace(/^\ufeff/, ""));
    begun = true;
  }
  yield end();
}

// splitterOf returns functions that make items of pieces of text.
function splitterOf(layout: Layout): { push: (text: string) => Read[]; end: () => Read[] } {
  if (layout.splitter === "csv") {
    const splitter = new CSVSplitter();
    let header = true; // comes first
    const read = (records: CSVRecord[]) => {
      const items = header ? records.slice(1) : records;
      if (records.length > 0) header = false;
      return items.map((r) => attempt(r.line, () => recordItem(r, layout.columns)));
    };
    return { push: (text) => read(splitter.push(text)), end: () => read(splitter.end()) };
  }
  const splitter = layout.splitter === "lines" ? new LineSplitter() : new ObjectSplitter(layout.depth);
  const parse = layout.form === "json" ? parsePlain : typedItem;
  const read = (parts: Part[]) => parts.map((part) => attempt(part.line, () => parse(part.text)));
  return { push: (text) => read(splitter.push(text)), end: () => read(splitter.end()) };
}

function attempt(line: number, read: () => Item): Read {
  try {
    return { line, item: read() };
  } catch (error) {
    return { line, error: error instanceof Error ? error.message : String(error) };
  }
}

// typedItem reads {"pk":{"S":"a"}}, or {"Item":{"pk":{"S":"a"}}} as in exports to S3. An item whose
// only attribute is called Item has a value with a type there.
function typedItem(text: string): Item {
  const tree = JSON.parse(text) as Record<string, unknown> | null;
  const wrapped = tree !== null && typeof tree === "object" && Object.keys(tree).length === 1 ? tree["Item"] : undefined;
  if (wrapped === undefined) return parseItem(text);
  try {
    parseValue(JSON.stringify(wrapped));
  } catch {
    return parseItem(JSON.stringify(wrapped));
  }
  return parseItem(text);
}

function recordItem({ cells }: CSVRecord, columns: CSVColumn[]): Item {
  if (cells.length > columns.length) throw new Error(t("read.cells", { cells: cells.length, columns: columns.length }));
  return Object.fromEntries(columns.flatMap(({ name, kind }, i) => {
    const cell = cells[i] ?? "";
    if (cell === "") return [];
    try {
      return [[name, valueOfCell(kind, cell)]];
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }));
}
