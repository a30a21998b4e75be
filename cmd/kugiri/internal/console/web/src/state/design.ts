// The design that the page shows: its text, which forms and the editor change, and its file.

import { effect, signal } from "@preact/signals";
import { designFrom, editDesign, exampleDesign, type DesignChange } from "../api/design";
import { explain } from "../api/dynamodb";
import { save } from "../transfer/export";
import { inOrder } from "./order";
import { kept } from "./settings";

/** The design in YAML. */
export const design = kept<string>("design", "");

/** What could not be done to it last, "" if nothing. */
export const designError = signal("");

const maxPast = 100;
const past = signal<string[]>([]); // texts that forms and files have replaced, the last one at the end

export const undoable = () => past.value.length > 0;

export function undoDesign(): void {
  const [before, ...others] = [...past.value].reverse();
  if (before === undefined) return;
  past.value = others.reverse();
  design.value = before;
  designError.value = "";
}

function replace(text: string): void {
  if (design.value !== "" && design.value !== text) past.value = [...past.value, design.value].slice(-maxPast);
  design.value = text;
}

// attempt does something, and says what is wrong if it fails.
async function attempt(work: () => Promise<void>): Promise<void> {
  designError.value = "";
  try {
    await work();
  } catch (e) {
    if (!(e instanceof DOMException && e.name === "AbortError")) designError.value = explain(e); // else somebody has closed the dialog
  }
}

let edits = Promise.resolve();

/** Changes the text as a form asks, after all changes before. */
export function changeDesign(...changes: DesignChange[]): Promise<void> {
  return (edits = edits.then(() => attempt(async () => {
    const [before, after] = [design.value, await editDesign(design.value, changes)];
    if (design.value === before) replace(after);
  })));
}

export const beginDesign = () => attempt(async () => {
  if (design.value !== "") return;
  const example = await exampleDesign();
  if (design.value === "") design.value = example; // else somebody has opened or written one meanwhile
});

// The file that the design was read from, or was saved to, where the browser gives one.

interface Picker {
  showSaveFilePicker?: (options: object) => Promise<FileSystemFileHandle>;
}

/** The name of the file on the disk, "" if there is none. */
export const designFile = signal("");
let handle: FileSystemFileHandle | undefined;
const saved = signal("");

/** Whether the file on the disk has the text as it is. */
export const isSaved = () => designFile.value !== "" && saved.value === design.value;

export const canSave = () => (window as Picker).showSaveFilePicker !== undefined;

function setHandle(to: FileSystemFileHandle | undefined): void {
  handle = to;
  designFile.value = to?.name ?? "";
}

effect(() => {
  if (design.value === "") setHandle(undefined);
});

const pick = () => (window as Picker).showSaveFilePicker!({ suggestedName: "design.yaml", types: [{ accept: { "application/yaml": [".yaml", ".yml"] } }] });

/** Saves the design where it was read or saved, or asks where. */
export const saveDesign = () => attempt(async () => {
  const text = design.value;
  const before = handle;
  let to = before ?? (await pick());
  const file = await to.createWritable().catch(async (e: unknown) => {
    if (!before) throw e;
    return (to = await pick()).createWritable(); // the file must not be written, or is gone
  });
  await file.write(text);
  await file.close();
  setHandle(to);
  saved.value = text;
});

export const downloadDesign = () => save(new Blob([design.value], { type: "text/yaml" }), "design.yaml");

const opened = inOrder();

/** Opens a file: a design, or a model of another tool, which becomes one. Of two the later one stays. */
export const openDesign = (file: File | undefined, from?: Promise<FileSystemHandle | null>) => attempt(async () => {
  if (!file) return;
  const isNew = opened();
  const isDesign = /\.ya?ml$/i.test(file.name);
  const given = await file.text();
  const text = isDesign ? given : await designFrom(given);
  const place = isDesign ? await from : undefined;
  if (!isNew()) return;
  replace(text);
  setHandle(place?.kind === "file" ? (place as FileSystemFileHandle) : undefined);
  saved.value = design.value;
});
