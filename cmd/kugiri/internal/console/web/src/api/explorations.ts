// Explorations of the server, and the failures that they and the tests of other processes have found.

export interface Exploration {
  id: string;
  name: string;
  began: string; // in ISO 8601
  state: "running" | "passed" | "failed" | "error" | "closed";
  runs: number;
  failures: string[]; // their kinds
  error?: string; // why the search could not go on
  report?: { text: string; failures: Failure[] }; // of one that has ended, and not in the list
}

export interface Failure {
  kind: string;
  html: string; // the page of the failure
  diagram: Diagram;
}

export interface Diagram {
  kind: string;
  test: string;
  text: string; // what went wrong
  replay: string; // the command that runs it again
  workers: { name: string; result?: string }[];
  steps: DiagramStep[];
}

export interface DiagramStep {
  worker: number; // its place in workers
  operation: string;
  lines?: string[]; // what it read and changed
  mark?: string; // what is wrong here
  items?: DiagramItem[];
}

export interface DiagramItem {
  table: string;
  key: string;
  before?: Attributes; // undefined without an item
  after?: Attributes;
}

/** The attributes of an item as texts. */
export type Attributes = Record<string, string>;

/** The longest file of a failure that is read, in bytes. */
export const longestPage = 32 << 20;

const opening = '<script type="application/json" id="kugiri-failure">';

/** Reads the failure in a page of HTML, as explore writes it: its data, in which no < is. It is undefined if there is none. */
export function failureOf(html: string): Failure | undefined {
  const at = html.indexOf(opening);
  if (at < 0) return undefined;
  const from = at + opening.length;
  try {
    const diagram: unknown = JSON.parse(html.slice(from, html.indexOf("<", from)));
    return isDiagram(diagram) ? { kind: diagram.kind, html, diagram } : undefined;
  } catch {
    return undefined;
  }
}

const texts = (of: Record<string, unknown>, names: string[]) => names.every((name) => typeof of[name] === "string");

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === "object" && v !== null;

const isAttributes = (v: unknown) => v === undefined || (isObject(v) && Object.values(v).every((one) => typeof one === "string"));

const isItem = (v: unknown) => isObject(v) && texts(v, ["table", "key"]) && isAttributes(v["before"]) && isAttributes(v["after"]);

function isStep(v: unknown, workers: number): boolean {
  if (!isObject(v) || !texts(v, ["operation"]) || !Number.isInteger(v["worker"])) return false;
  const worker = v["worker"] as number;
  const { lines = [], mark = "", items = [] } = v;
  return worker >= 0 && worker < workers && Array.isArray(lines) && lines.every((l) => typeof l === "string") && typeof mark === "string" && Array.isArray(items) && items.every(isItem);
}

// isDiagram reports whether a file has what the page shows: anybody may have written it.
function isDiagram(v: unknown): v is Diagram {
  if (!isObject(v) || !texts(v, ["kind", "test", "text", "replay"])) return false;
  const { workers, steps } = v;
  return Array.isArray(workers) && workers.every((w) => isObject(w) && texts(w, ["name"]) && ["string", "undefined"].includes(typeof w["result"])) && Array.isArray(steps) && steps.every((s) => isStep(s, workers.length));
}
