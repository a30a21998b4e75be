// CSV, as "kugiri import" and "kugiri export" have it: the header of a column is the attribute and
// the type of its values, such as total:N. An empty cell means that the attribute is absent.

import { parseValue } from "../api/item_json";
import { open, type AttributeValue } from "../api/values";
import { t } from "../i18n";

/** The types of columns. Cells of JSON columns have the form {"S":"a"}. */
export const kinds = ["S", "N", "B", "BOOL", "JSON"] as const;
export type Kind = (typeof kinds)[number];

export interface CSVColumn {
  name: string;
  kind: Kind;
}

export const headerOf = (c: CSVColumn) => `${c.name}:${c.kind}`;

/** The column of a header; its kind is undefined if the header names none. */
export function columnOf(header: string): { name: string; kind: Kind | undefined } {
  const at = header.lastIndexOf(":");
  const kind = kinds.find((k) => k === header.slice(at + 1));
  return at > 0 && kind ? { name: header.slice(0, at), kind } : { name: header, kind: undefined };
}

/** The kind of column that can hold a value. */
export function kindOf(value: AttributeValue): Kind {
  const [type, content] = open(value);
  if (type === "N" || type === "BOOL") return type;
  if ((type === "S" && !(content as string).includes("\r")) || type === "B") return content === "" ? "JSON" : type;
  return "JSON";
}

/** The cell of a value in a column of a kind that can hold it. */
export function cellOf(kind: Kind, value: AttributeValue | undefined): string {
  if (!value) return "";
  return quoted(kind === "JSON" ? JSON.stringify(value) : String(open(value)[1]));
}

export const quoted = (text: string) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The value of a cell that is not empty. */
export function valueOfCell(kind: Kind, cell: string): AttributeValue {
  const trimmed = cell.trim();
  switch (kind) {
    case "BOOL":
      if (!/^(true|false)$/i.test(trimmed)) throw new Error(t("read.bool", { text: cell.slice(0, 60) }));
      return { BOOL: trimmed.toLowerCase() === "true" };
    case "JSON":
      return parseValue(cell);
    case "N":
      return { N: trimmed };
    default:
      return { [kind]: cell } as AttributeValue;
  }
}

/** The kind that all cells of a column can have. Numbers with leading zeros are rather names. */
export function guessKind(cells: string[]): Kind {
  const some = cells.filter((cell) => cell !== "");
  if (some.length === 0) return "S";
  if (some.every((cell) => /^\s*-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?\s*$/i.test(cell))) return "N";
  return some.every((cell) => /^\s*(true|false)\s*$/i.test(cell)) ? "BOOL" : "S";
}

export interface CSVRecord {
  line: number; // the first has 1
  cells: string[];
}

/** Splits text that comes in pieces into records. */
export class CSVSplitter {
  private line = 1;
  private begin = 1; // the line where the record begins
  private cells: string[] = [];
  private cell = "";
  private quoted = false;
  private quote = false; // the last character was a quote within quotes: the end of them, or half of a quote

  push(text: string): CSVRecord[] {
    const out: CSVRecord[] = [];
    for (const c of text) this.take(c, out);
    return out;
  }

  /** The last record, if it does not end with a line break. */
  end(): CSVRecord[] {
    if (this.quoted && !this.quote) throw new Error(t("read.quote", { line: this.begin }));
    return this.cells.length > 0 || this.cell !== "" ? [this.record()] : [];
  }

  private take(c: string, out: CSVRecord[]): void {
    if (c === "\n") this.line++;
    if (this.quoted && !this.quote) {
      if (c === '"') this.quote = true;
      else this.cell += c;
      return;
    }
    if (this.quote && c === '"') this.cell += c;
    else if (c === '"' && this.cell === "" && !this.quote) this.quoted = true;
    else if (c === ",") this.endCell();
    else if (c === "\n") this.endRecord(out);
    else if (c !== "\r") this.cell += c;
    this.quote = false;
  }

  private endCell(): void {
    this.cells.push(this.cell);
    this.cell = "";
    this.quoted = false;
  }

  private endRecord(out: CSVRecord[]): void {
    if (this.cells.length > 0 || this.cell !== "") out.push(this.record());
    this.begin = this.line;
    this.quoted = false;
  }

  private record(): CSVRecord {
    this.endCell();
    const record = { line: this.begin, cells: this.cells };
    this.cells = [];
    return record;
  }
}
