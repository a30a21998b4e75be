// The plan of a request that is being written, asked for when the writing pauses.

import { useEffect, useState } from "preact/hooks";
import { explain } from "../api/dynamodb";
import { planOf, type Plan } from "../api/plan";
import { identity } from "./identity";
import type { Request } from "./read";
import { kugiri } from "./session";

const pause = 250; // milliseconds

/** A value as it was when it last stayed the same for some time. */
export function usePaused<T>(value: T): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

export interface PlanState {
  plan?: Plan;
  error: string;
}

/** The plan of a request, given as JSON; "" for none. Only Kugiri has plans. */
export function usePlan(text: string): PlanState {
  const [state, setState] = useState<PlanState>({ error: "" });
  const asked = usePaused(text);
  useEffect(() => {
    if (!asked || !kugiri.value) return setState({ error: "" });
    let gone = false;
    const { operation, input } = JSON.parse(asked) as { operation: Request["operation"]; input: object };
    planOf(operation, input).then(
      (plan) => !gone && setState({ plan, error: "" }),
      (e: unknown) => !gone && setState({ error: explain(e) }),
    );
    return () => {
      gone = true;
    };
  }, [asked, identity.value]);
  return state;
}
