// The design that the page shows: its text, which forms and the editor change, and its file.

import { effect, signal } from "@preact/signals";
import { designFrom, designValues, editDesign, exampleDesign, type DesignChange, type DesignDraft, type Fields } from "../api/design";
import { explain } from "../api/dynamodb";
import { rebased } from "../api/rebase";
import { t } from "../i18n";
import { save } from "../transfer/export";
import { inOrder } from "./order";
import { kept } from "./settings";

/** The design in YAML. */
export const design = kept<string>("design", "");

/** What could not be done to it last, "" if nothing. */
export const designError = signal("");

/** What the design was made of, as long as somebody has not seen it. */
export const taken = signal<DesignDraft | undefined>(undefined);

const maxPast = 100;
const past = signal<string[]>([]); // texts that forms and files have replaced, the last one at the end

export const undoable = () => past.value.length > 0;

// What is done to the text, one after the other: a change that is under way is there before what comes
// after it.
let edits = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = edits.then(work);
  edits = done.then(() => {}, () => {});
  return done;
}

export const undoDesign = () => inTurn(async () => {
  const [before, ...others] = [...past.value].reverse();
  if (before === undefined) return;
  past.value = others.reverse();
  design.value = before;
  designError.value = "";
});

function replace(text: string): void {
  if (design.value !== "" && design.value !== text) past.value = [...past.value, design.value].slice(-maxPast);
  design.value = text;
}

// attempt does something, and says what is wrong if it fails. It returns whether it is done.
async function attempt(work: () => Promise<void>): Promise<boolean> {
  designError.value = "";
  try {
    await work();
    return true;
  } catch (e) {
    if (!(e instanceof DOMException && e.name === "AbortError")) designError.value = explain(e); // else somebody has closed the dialog
    return false;
  }
}

/** A text, and what it says: what forms show. */
export interface Shown {
  text: string;
  values: Fields;
}

const maxTries = 10; // while somebody writes
const ours = new Map<string, string>(); // what forms have given to paths

/**
 * Changes the text as a form asks that shows what it said before, after all changes before. What others
 * have written meanwhile stays. It returns false if that is not possible, and says what was not done.
 */
export const changeDesign = (shown: Shown, ...changes: DesignChange[]): Promise<boolean> => inTurn(() => attempt(async () => {
  for (let tries = 0; tries < maxTries; tries++) {
    const text = design.value;
    const wanted = await onto(text, shown, changes);
    const after = await editDesign(text, wanted).catch((e: unknown) => {
      throw text === shown.text ? e : meanwhile(changes, explain(e));
    });
    if (design.value !== text) continue;
    replace(after);
    for (const one of wanted) ours.set(one.path, JSON.stringify(one.value));
    return;
  }
  throw meanwhile(changes);
}));

// onto returns changes of what a form shows as changes of a text.
async function onto(text: string, shown: Shown, changes: DesignChange[]): Promise<DesignChange[]> {
  if (text === shown.text) return changes;
  const now = await designValues(text).catch((e: unknown) => {
    throw meanwhile(changes, explain(e));
  });
  const wanted = rebased(shown.values, now, changes, ours);
  if (!wanted) throw meanwhile(changes);
  return wanted;
}

const meanwhile = (changes: DesignChange[], why = "") =>
  new Error(t("design.meanwhile", { change: `${changes[0]!.path}: ${JSON.stringify(changes[0]!.value)}` }) + (why && " " + why));

export const beginDesign = () => attempt(async () => {
  if (design.value !== "") return;
  const example = await exampleDesign();
  if (design.value === "") design.value = example; // else somebody has opened or written one meanwhile
});

// The file that the design was read from, or was saved to, where the browser gives one.

interface Picker {
  showSaveFilePicker?: (options: object) => Promise<FileSystemFileHandle>;
}

/** Why the file on the disk is not written, "" for no reason. */
export const notWritten = signal("");

/** The name of the file on the disk, "" if there is none. */
export const designFile = signal("");
let handle: FileSystemFileHandle | undefined;
const saved = signal("");

/** Whether the file on the disk has the text as it is. */
export const isSaved = () => designFile.value !== "" && saved.value === design.value;

export const canSave = () => (window as Picker).showSaveFilePicker !== undefined;

function setHandle(to: FileSystemFileHandle | undefined): void {
  handle = to;
  notWritten.value = "";
  designFile.value = to?.name ?? "";
}

effect(() => {
  if (design.value === "") setHandle(undefined);
});

const saves = inOrder();

// Not all browsers have these.
interface Permitting {
  queryPermission?: (of: object) => Promise<PermissionState>;
  requestPermission?: (of: object) => Promise<PermissionState>;
}

const writing = { mode: "readwrite" };

/**
 * Saves the design where it was read or saved, or asks where. Without the permission to write the file it
 * says that that is missing, and asks for nothing by itself: a browser's question may find nobody who
 * answers, and until then the page would get no clicks.
 */
export const saveDesign = () => attempt(async () => {
  if (!handle) return writeTo(await pick());
  const permitted = await (handle as unknown as Permitting).queryPermission?.(writing);
  if (permitted !== undefined && permitted !== "granted") notWritten.value = t("design.noPermission", { file: handle.name });
  else await writeToFile(handle);
});

/** Asks for the permission to write the file, and writes it. */
export const askToSave = () => attempt(async () => {
  const to = handle!;
  const isNew = saves();
  const answer = await (to as unknown as Permitting).requestPermission?.(writing);
  if (!isNew()) return; // it is saved in another file
  if (answer === undefined || answer === "granted") await writeToFile(to);
  else notWritten.value = t("design.noPermission", { file: to.name });
});

async function writeToFile(to: FileSystemFileHandle): Promise<void> {
  try {
    await writeTo(to);
  } catch (e) {
    notWritten.value = t("design.notWritten", { file: to.name, why: explain(e) });
  }
}

/** Saves the design in a file that a person chooses. */
export const saveDesignAs = () => attempt(async () => writeTo(await pick()));

const pick = () => (window as Picker).showSaveFilePicker!({ suggestedName: handle?.name ?? "design.yaml", types: [{ accept: { "application/yaml": [".yaml", ".yml"] } }] });

async function writeTo(to: FileSystemFileHandle): Promise<void> {
  saves()(); // an answer about a permission comes too late
  await edits; // what a form has just been left with belongs to it
  const text = design.value;
  const file = await to.createWritable();
  await file.write(text);
  await file.close();
  setHandle(to);
  saved.value = text;
}

export async function downloadDesign(): Promise<void> {
  await edits;
  save(new Blob([design.value], { type: "text/yaml" }), "design.yaml");
}

/** The text with all that forms have changed. */
export async function wholeDesign(): Promise<string> {
  await edits;
  return design.value;
}

const opened = inOrder();

/** Opens a file: a design, or a model of another tool, which becomes one. Of two the later one stays. */
export const openDesign = (file: File | undefined, from?: Promise<FileSystemHandle | null>) => attempt(async () => {
  if (!file) return;
  const isNew = opened();
  const isDesign = /\.ya?ml$/i.test(file.name);
  const given = await file.text();
  const draft = isDesign ? undefined : await designFrom(given);
  const text = draft?.design ?? given;
  await edits; // they are changes of the design before
  if (!isNew()) return;
  replace(text);
  taken.value = draft;
  ours.clear();
  setHandle(undefined);
  saves()(); // one of the file before that still waits for a permission comes too late
  saved.value = design.value;
  const place = isDesign ? await from : undefined;
  if (isNew() && place?.kind === "file") setHandle(place as FileSystemFileHandle);
});
