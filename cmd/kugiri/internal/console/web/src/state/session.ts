// What the server of the page said at its start.

import { computed, signal } from "@preact/signals";
import { overview, type Overview } from "../api/admin";
import type { DeclaredEntity } from "../api/entities";
import { send } from "../api/http";
import { countUnits } from "../api/spent";
import { inOrder } from "./order";

export interface Session {
  endpoint: string; // "" for the server of the page
  accessKey?: string;
  region: string;
  choice: boolean;
  readOnly: boolean;
  version: string;
  entities?: DeclaredEntity[]; // of the policy
}

export const session = signal<Session | undefined>(undefined);

/** Why the session cannot begin, "" for no reason. */
export const sessionError = signal("");

/** What the admin API shows, undefined if the endpoint has none: then it is not Kugiri. */
export const kugiri = signal<Overview | undefined>(undefined);

/** How many capacity units a view reads before it asks: of an endpoint that somebody pays for, about 4 MB. */
export const maxUnits = computed(() => (session.value?.readOnly ? 500 : Infinity));

const writesOn = signal(false);

/** Whether the page may write. On an endpoint of others it asks first. */
export const writable = computed(() => !session.value?.readOnly || writesOn.value);

/** Whether somebody is to be asked before the page writes: once, for an endpoint that is not on this machine. */
export const asksToWrite = () => !agreed && !isNear(session.value?.endpoint ?? "");

let agreed = false;

const isNear = (endpoint: string) => /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/.test(endpoint);

export function setWritable(on: boolean): void {
  agreed ||= on;
  writesOn.value = on;
}

let begun = 0;

/**
 * Begins the session: asks the server what it shows, and whether that is Kugiri. Of two that begin, as
 * when another token is entered before the server has refused all requests with the first, the later counts.
 */
export async function beginSession(): Promise<void> {
  const own = ++begun;
  sessionError.value = "";
  try {
    const [answer, found] = await Promise.all([send("session"), overview().catch(() => undefined)]);
    if (!answer.ok) throw new Error(await errorOf(answer));
    const described = (await answer.json()) as Session;
    if (own !== begun) return;
    if (described.readOnly) countUnits();
    kugiri.value = found;
    if (JSON.stringify(described) !== JSON.stringify(session.value)) session.value = described; // else what is shown stays
  } catch (error) {
    if (own === begun) sessionError.value = error instanceof Error ? error.message : String(error);
  }
}

async function errorOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const body = JSON.parse(text) as { error?: string; message?: string };
    return body.error ?? body.message ?? text;
  } catch {
    return text.trim() || answer.statusText;
  }
}


const overviews = inOrder();

export async function refreshOverview(): Promise<void> {
  if (!kugiri.value) return;
  const isNew = overviews();
  const found = await overview();
  if (isNew()) kugiri.value = found;
}
