// The plans of requests that are being written, asked for when the writing pauses.

import { useEffect, useState } from "preact/hooks";
import { explain } from "../api/dynamodb";
import { planOf, type Plan } from "../api/plan";
import { identity } from "./identity";
import { kugiri } from "./session";

const pause = 250; // milliseconds
const maxPlans = 25; // of requests that are planned together

/** A value as it was when it last stayed the same for some time. */
export function usePaused<T>(value: T): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

export interface PlansState {
  plans: Plan[];
  error: string;
}

/** The plans of requests, given as the JSON of their list; "" for none. Only Kugiri has plans. */
export function usePlans(text: string): PlansState {
  const [state, setState] = useState<PlansState>({ plans: [], error: "" });
  const asked = usePaused(text);
  useEffect(() => {
    if (!asked || !kugiri.value) return setState({ plans: [], error: "" });
    let gone = false;
    const requests = JSON.parse(asked) as { operation: string; input: object }[];
    Promise.all(requests.slice(0, maxPlans).map((r) => planOf(r.operation, r.input))).then(
      (plans) => !gone && setState({ plans, error: "" }),
      (e: unknown) => !gone && setState({ plans: [], error: explain(e) }),
    );
    return () => {
      gone = true;
    };
  }, [asked, identity.value]);
  return state;
}
