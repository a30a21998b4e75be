// Exports the items of a request to a file, page by page.

import { call, type Page } from "../api/dynamodb";
import { attribute, type Item } from "../api/values";
import type { Request } from "../state/read";
import { cellOf, headerOf, kindOf, quoted, type CSVColumn } from "./csv";
import { plainOf } from "../api/plain";
import { linesOf } from "./text";

export type Format = "dynamodb" | "json" | "csv";

/** The ends of the names of files. */
export const extensions: { [format in Format]: string } = { dynamodb: "jsonl", json: "json", csv: "csv" };

export interface Export {
  request: Request;
  items?: Item[] | undefined; // in place of those of the request
  columns: string[] | undefined; // undefined: all attributes
  first: string[]; // attributes that come first in CSV
  format: Format;
  types: boolean; // the headers of CSV name the types
  compress: boolean; // gzip
  signal: AbortSignal;
  progress: (items: number) => void;
}

/** Reads all items of the request, and returns the file and how many there are. */
export async function exportItems(o: Export): Promise<{ file: Blob; items: number }> {
  const writer = o.format === "csv" ? new CSVWriter(o.columns ?? o.first, o.types) : o.format === "json" ? new JSONWriter() : new LinesWriter();
  const { operation } = o.request;
  const { Limit: _, ...input } = o.request.input as { Limit?: number }; // pages are as large as can be
  let [items, from]: [number, Item | undefined] = [0, undefined];
  if (o.items) writer.add(o.columns ? o.items.map((item) => only(item, o.columns!)) : o.items);
  else do {
    const page: Page = await call(operation, { ...input, ...(from ? { ExclusiveStartKey: from } : {}) }, { signal: o.signal });
    const some = page.Items ?? [];
    if (some.length > 0) writer.add(o.columns ? some.map((item) => only(item, o.columns!)) : some);
    from = page.LastEvaluatedKey;
    o.progress((items += some.length));
  } while (from);
  const file = await writer.end(o.signal);
  if (o.items) items = o.items.length;
  return { file: o.compress ? await new Response(file.stream().pipeThrough(new CompressionStream("gzip"))).blob() : file, items };
}

function only(item: Item, names: string[]): Item {
  return Object.fromEntries(names.flatMap((name) => {
    const value = attribute(item, name);
    return value ? [[name, value]] : [];
  }));
}

// Writers keep what they have written in blobs, a page each, which browsers keep out of the memory of
// the page.

class LinesWriter {
  private parts: Blob[] = [];

  add(items: Item[]): void {
    this.parts.push(new Blob([items.map((item) => JSON.stringify(item) + "\n").join("")]));
  }

  async end(_: AbortSignal): Promise<Blob> {
    return new Blob(this.parts, { type: "application/x-ndjson" });
  }
}

class JSONWriter {
  private parts: Blob[] = [];

  add(items: Item[]): void {
    this.parts.push(new Blob([(this.parts.length > 0 ? ",\n" : "[\n") + items.map((item) => plainOf(item)).join(",\n")]));
  }

  async end(_: AbortSignal): Promise<Blob> {
    return new Blob(this.parts.length > 0 ? [...this.parts, "\n]\n"] : ["[]\n"], { type: "application/json" });
  }
}

// CSVWriter keeps the items as lines of JSON until it knows all columns and what they hold.
class CSVWriter {
  private lines = new LinesWriter();
  private columns = new Map<string, CSVColumn>();

  constructor(private first: string[], private types: boolean) {}

  add(items: Item[]): void {
    for (const item of items) {
      for (const [name, value] of Object.entries(item)) {
        const [column, kind] = [this.columns.get(name), kindOf(value)];
        if (!column) this.columns.set(name, { name, kind });
        else if (column.kind !== kind) column.kind = "JSON";
      }
    }
    this.lines.add(items);
  }

  async end(signal: AbortSignal): Promise<Blob> {
    const names = [...new Set([...this.first, ...this.columns.keys()])].filter((name) => this.columns.has(name));
    const columns = names.map((name) => this.columns.get(name)!);
    const parts: Blob[] = [new Blob([columns.map((c) => quoted(this.types ? headerOf(c) : c.name)).join(",") + "\r\n"])];
    for await (const lines of linesOf(await this.lines.end(signal), signal)) {
      const records = lines.map(({ text }) => {
        const item = JSON.parse(text) as Item;
        return columns.map((c) => cellOf(c.kind, attribute(item, c.name))).join(",") + "\r\n";
      });
      parts.push(new Blob(records));
    }
    return new Blob(parts, { type: "text/csv" });
  }
}

/** Has the browser save a file. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
