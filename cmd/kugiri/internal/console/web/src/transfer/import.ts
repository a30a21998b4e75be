// Imports the items of a file: batches of puts, a few at a time.

import { call, explain, isError, type TableDescription } from "../api/dynamodb";
import { idOf } from "../api/edits";
import type { Item } from "../api/values";
import { readItems, type Layout, type Read } from "./read";

export interface Progress {
  bytes: number; // of the file
  items: number; // that were put
  errors: { line: number; text: string }[]; // by line
}

interface Import {
  file: File;
  layout: Layout;
  signal: AbortSignal;
  progress: (p: Progress) => void;
}

/** How many errors end an import: the file is rather another one. */
export const maxErrors = 1000;

const maxBatch = 25; // items of a BatchWriteItem
const maxBytes = 8 << 20; // of its JSON, half of what the service takes
const maxRunning = 4; // batches at a time

interface Entry {
  line: number;
  item: Item;
  id: string;
}

/** Puts the items of a file into a table, and returns what became of them. */
export async function importItems(table: TableDescription, o: Import): Promise<Progress> {
  const state: Progress = { bytes: 0, items: 0, errors: [] };
  const running = new Map<Promise<void>, Set<string>>(); // batches on their way, with their keys
  let [batch, size]: [Entry[], number] = [[], 0];
  const failed = new AbortController();
  const signal = AbortSignal.any([o.signal, failed.signal]);
  const flush = async () => {
    if (batch.length === 0) return;
    const entries = batch;
    [batch, size] = [[], 0];
    const ids = new Set(entries.map((e) => e.id));
    while (running.size >= maxRunning || [...running.values()].some((keys) => entries.some((e) => keys.has(e.id)))) {
      await Promise.race(running.keys()); // an item that is there twice is put in the order of the file
    }
    const work = put(table, entries, state, signal).then(() => o.progress({ ...state }));
    const watched = work.catch((e: unknown) => failed.abort(e)).finally(() => running.delete(watched));
    running.set(watched, ids);
  };
  const take = async ({ line, item, error }: Read) => {
    if (!item) {
      note(state, line, error!);
      return;
    }
    const [id, length] = [idOf(table, item), JSON.stringify(item).length];
    if (batch.length === maxBatch || size + length > maxBytes || batch.some((e) => e.id === id)) await flush();
    batch.push({ line, item, id });
    size += length;
  };
  try {
    for await (const reads of readItems(o.file, o.layout, { signal, progress: (bytes) => (state.bytes = bytes) })) {
      for (const read of reads) {
        signal.throwIfAborted();
        await take(read);
      }
      o.progress({ ...state });
    }
    await flush();
  } finally {
    await Promise.all(running.keys());
    o.progress({ ...state });
  }
  signal.throwIfAborted();
  return state;
}

function note(state: Progress, line: number, text: string): void {
  state.errors = [...state.errors, { line, text }].sort((a, b) => a.line - b.line);
  if (state.errors.length >= maxErrors) throw new TooManyErrors();
}

export class TooManyErrors extends Error {}

interface Unprocessed {
  UnprocessedItems?: { [table: string]: { PutRequest: { Item: Item } }[] };
}

// put puts the items of a batch, those again that were not processed. A batch is refused as a whole,
// so the items of one that is are put one by one, to find those that are wrong.
async function put(table: TableDescription, entries: Entry[], state: Progress, signal: AbortSignal): Promise<void> {
  let requests = entries.map(({ item }) => ({ PutRequest: { Item: item } }));
  try {
    for (let wait = 50; ; wait = Math.min(5000, wait * 2)) {
      const out = await call<Unprocessed>("BatchWriteItem", { RequestItems: { [table.TableName]: requests } }, { signal });
      const left = out.UnprocessedItems?.[table.TableName] ?? [];
      state.items += requests.length - left.length;
      if (left.length === 0) return;
      requests = left;
      await new Promise((done) => setTimeout(done, wait));
      signal.throwIfAborted();
    }
  } catch (error) {
    if (!isError(error, "ValidationException")) throw error;
  }
  for (const entry of entries) await putOne(table, entry, state, signal);
}

async function putOne(table: TableDescription, { line, item }: Entry, state: Progress, signal: AbortSignal): Promise<void> {
  try {
    await call("PutItem", { TableName: table.TableName, Item: item }, { signal });
    state.items++;
  } catch (error) {
    if (!isError(error, "ValidationException") && !isError(error, "ItemCollectionSizeLimitExceededException")) throw error;
    note(state, line, explain(error));
  }
}
