// Races in requests that the server of the page has recorded.

import { send } from "./http";

export interface RaceStep {
  request: number; // in the recording, from 1
  operation: string;
  table: string;
  key: string; // in DynamoDB's JSON
}

export interface Race {
  kind: string;
  count: number; // places in the recording; the first is shown
  requests: RaceStep[];
  why: string;
  order: string[]; // an order that does harm, such as "worker A: request 2 reads the item"
  remedy: string;
  confirmed: boolean; // a replay has shown it
  reason?: string; // why it is not confirmed
}

export interface Races {
  recording: boolean;
  full?: boolean; // no more is recorded
  report?: { requests: number; callers: number; findings: Race[]; full?: boolean };
}

/** Begins to record, ends that, or only asks; and returns what was found so far. */
export async function races(method: "GET" | "POST" | "DELETE"): Promise<Races> {
  const answer = await send("races", { method });
  const body = (await answer.json()) as Races & { message?: string };
  if (!answer.ok) throw new Error(body.message ?? answer.statusText);
  return body;
}
