// Texts out of files, piece by piece.

import { t } from "../i18n";

/** A part of a text, and the line where it begins. The first line has 1. */
export interface Part {
  line: number;
  text: string;
}

/** How long an item of 400 KB can be in any of the formats, in its longest escaped form. */
export const maxPart = 4 << 20;

const maxWork = 20; // milliseconds, after which the page gets time to draw

/** The text of a file, decompressed if it is gzip. progress is told how many bytes of the file are read. */
export async function* textOf(file: Blob, signal: AbortSignal, progress: (bytes: number) => void = () => {}): AsyncGenerator<string> {
  const [a, b] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const zipped = a === 0x1f && b === 0x8b;
  let read = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, out) {
      progress((read += chunk.length));
      out.enqueue(chunk);
    },
  });
  const raw = file.stream().pipeThrough(counted);
  const bytes = zipped ? raw.pipeThrough(new DecompressionStream("gzip")) : raw;
  const reader = bytes.pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
  try {
    for (let since = performance.now(); ; ) {
      if (performance.now() - since > maxWork) {
        await new Promise((done) => setTimeout(done)); // pieces that are there already leave no time for the page
        since = performance.now();
      }
      signal.throwIfAborted();
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw error instanceof TypeError ? new Error(t(zipped ? "read.damaged" : "read.encoding")) : error;
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {}); // it has ended, or has failed already
  }
}

/** Splits text that comes in pieces into lines, without those that are blank. */
export class LineSplitter {
  private line = 1;
  private rest = "";

  push(text: string): Part[] {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop()!;
    if (this.rest.length > maxPart) throw new Error(t("read.long", { line: this.line + lines.length }));
    const parts = lines.map((one, i) => ({ line: this.line + i, text: one }));
    this.line += lines.length;
    return parts.filter((part) => part.text.trim() !== "");
  }

  end(): Part[] {
    return this.rest.trim() === "" ? [] : [{ line: this.line, text: this.rest }];
  }
}

/**
 * Splits text that comes in pieces into the objects that are depth levels deep: 0 for objects one
 * after the other, 1 for a list of objects, 2 for a list within an object.
 */
export class ObjectSplitter {
  private line = 1;
  private begin = 0; // the line where the object begins, 0 for none
  private level = 0;
  private reached = false; // the list that has the objects has begun
  private ended = false; // and has ended
  private inText = false;
  private escaped = false;
  private rest = "";

  constructor(private depth: number) {}

  push(text: string): Part[] {
    const out: Part[] = [];
    let from = this.begin > 0 ? 0 : -1;
    for (let i = 0; i < text.length; i++) {
      const c = text[i]!;
      if (c === "\n") this.line++;
      if (this.inText) this.readText(c);
      else if (c === '"') this.inText = true;
      else if (c === "{" || c === "[") {
        if (c === "{" && this.level === this.depth && this.begin === 0 && !this.ended) [this.begin, from] = [this.line, i];
        this.level++;
        if (this.level === this.depth) this.reached = true;
      } else if (c === "}" || c === "]") {
        this.level--;
        if (this.level < this.depth && this.reached) this.ended = true;
        if (this.begin > 0 && this.level === this.depth) {
          out.push({ line: this.begin, text: this.rest + text.slice(from, i + 1) });
          [this.begin, this.rest, from] = [0, "", -1];
        }
      }
    }
    if (from >= 0) this.rest += text.slice(from);
    if (this.rest.length > maxPart) throw new Error(t("read.long", { line: this.begin }));
    return out;
  }

  end(): Part[] {
    if (this.begin > 0 || this.level !== 0) throw new Error(t("read.early", { line: this.begin || this.line }));
    return [];
  }

  private readText(c: string): void {
    if (this.escaped) this.escaped = false;
    else if (c === "\\") this.escaped = true;
    else if (c === '"') this.inText = false;
  }
}

/** The lines of a file, those of a piece of it at a time. */
export async function* linesOf(file: Blob, signal: AbortSignal): AsyncGenerator<Part[]> {
  const splitter = new LineSplitter();
  for await (const text of textOf(file, signal)) yield splitter.push(text);
  yield splitter.end();
}
