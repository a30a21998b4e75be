// Faults as forms: what each effect is called, which parameters it has, and whom it hits.

import type { Fault, Matcher } from "../../api/forks";
import { t, type Key } from "../../i18n";

export type Parameter = "reason" | "index" | "duration" | "share" | "writes" | "time" | "records" | "region" | "delay";

/** The effects, with the parameters of each. Those in brackets may be left out. */
export const effects = {
  throttle: ["reason", "index"],
  internalServerError: [],
  serviceUnavailable: [],
  latency: ["duration"],
  dropConnection: [],
  loseResponse: [],
  unprocessed: ["share"],
  transactionConflict: [],
  transactionInProgress: [],
  staleReads: ["writes", "time"],
  laggingIndexes: ["writes", "time"],
  recall: ["share"],
  shortPages: ["records"],
  expiredIterator: [],
  limitExceeded: [],
  rateExceeded: [],
  replicatedWriteConflict: [],
  partitionRegion: ["region"],
  delayReplication: ["region", "delay"],
  duplicateKinesisRecord: [],
  disorderKinesisRecord: [],
} as const satisfies { [effect: string]: readonly Parameter[] };

export type EffectName = keyof typeof effects;

export const effectNames = Object.keys(effects) as EffectName[];

/** The reasons of throttling, by what limits; the service completes them. */
export const reasons = ["ProvisionedThroughputExceeded", "KeyRangeThroughputExceeded", "AccountLimitExceeded", "MaxOnDemandThroughputExceeded"];

export const counts = ["all", "first", "nth", "every", "probability"] as const;
export type Count = (typeof counts)[number];

export interface FaultForm {
  effect: EffectName | ""; // "": none is chosen yet, and there is no fault
  parameters: { [name in Parameter]?: string };
  operations: string; // separated by commas
  tables: string;
  keyName: string;
  keyValue: string;
  access: "" | "read" | "write";
  count: Count;
  number: string;
  seed: string;
  mustHit: boolean;
}

export const emptyForm: FaultForm = {
  effect: "",
  parameters: {},
  operations: "",
  tables: "",
  keyName: "",
  keyValue: "",
  access: "",
  count: "all",
  number: "1",
  seed: "",
  mustHit: false,
};

/** Whether a form says nothing of the requests that it is for. */
export const isForAll = (f: FaultForm) => f.operations.trim() + f.tables.trim() + f.keyName + f.access === "" && f.count === "all";

/** The fault that a form describes, in the form of the admin API. */
export function faultOf(f: FaultForm): Fault {
  const when: Matcher = {
    ...named("operation", f.operations),
    ...named("table", f.tables),
    ...(f.keyName ? { key: { [f.keyName]: f.keyValue } } : {}),
    ...(f.access ? { access: f.access } : {}),
    ...(f.count === "all" ? {} : { [f.count]: Number(f.number) }),
  };
  return {
    ...(Object.keys(when).length ? { when } : {}),
    do: { [f.effect]: effectOf(f) },
    ...(f.seed ? { seed: Number(f.seed) } : {}),
    ...(f.mustHit ? { mustHit: true } : {}),
  };
}

function named(member: "operation" | "table", text: string): Matcher {
  const list = text.split(",").map((one) => one.trim()).filter(Boolean);
  return list.length === 0 ? {} : { [member]: list.length === 1 ? list[0] : list };
}

const numbers: readonly string[] = ["share", "writes", "records"];

// effectOf returns the parameters of an effect. One that has only one may be that value itself.
function effectOf(f: FaultForm): unknown {
  if (f.effect === "") return "";
  const given = effects[f.effect].map((name) => [name, f.parameters[name]?.trim() ?? ""] as const).filter(([, text]) => text);
  const values = given.map(([name, text]) => [name, numbers.includes(name) ? Number(text) : text] as const);
  if (["latency", "unprocessed", "recall", "shortPages"].includes(f.effect)) return values[0]?.[1] ?? "";
  return Object.fromEntries(values);
}

/** The name of a fault's effect, for people. */
export function nameOf(f: Fault): string {
  const name = effectNameOf(f);
  return (effectNames as string[]).includes(name) ? t(`effect.${name}` as Key) : name;
}

function effectNameOf(f: Fault): string {
  return typeof f.do === "string" ? f.do : (Object.keys(f.do)[0] ?? "");
}

/** The parameters of a fault's effect, on a line. */
export function parametersOf(f: Fault): string {
  if (typeof f.do === "string") return "";
  const given = Object.values(f.do)[0];
  if (given === null || typeof given !== "object") return String(given ?? "");
  return Object.entries(given).map(([name, value]) => `${name} ${String(value)}`).join(", ");
}

/** Whom a fault hits, on a line. */
export function whenOf(when: Matcher | undefined): string {
  if (!when) return "";
  return Object.entries(when).map(([member, value]) => memberOf(member, value)).join(" · ");
}

function memberOf(member: string, value: unknown): string {
  const list = Array.isArray(value) ? value : [value];
  switch (member) {
    case "operation":
    case "table":
    case "index":
      return `${t(`faults.${member}`)}: ${list.join(", ")}`;
    case "and":
      return list.map((one) => whenOf(one as Matcher)).join(" · ");
    case "key":
      return Object.entries(value as object).map(([name, one]) => `${name} = ${String(one)}`).join(", ");
    case "access":
      return t(value === "read" ? "faults.reads" : "faults.writes");
    case "first":
    case "nth":
    case "every":
    case "probability":
      return t(`faults.count.${member}.of`, { number: String(value) });
    default:
      return `${member}: ${JSON.stringify(value)}`;
  }
}
