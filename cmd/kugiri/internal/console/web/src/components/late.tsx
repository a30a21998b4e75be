// Components of the script that follows the first one: dialogs and panels, which open once that is there. A
// page loads it when it has time, and at once if one of them is wanted.

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { explain } from "../api/dynamodb";
import { toast } from "./toast";

const parts = signal<{ [name: string]: ComponentType<never> }>({});
let load: () => Promise<unknown> = () => Promise.resolve();

/** Says how the script is loaded. */
export function loadPartsBy(how: () => Promise<unknown>): void {
  load = how;
}

/** Gives the components to those who wait for them. */
export function provide(some: { [name: string]: ComponentType<never> }): void {
  parts.value = { ...parts.value, ...some };
}

/** A component by the name with which it is provided. */
export function late<Props extends object>(name: string): ComponentType<Props> {
  return function Late(props: Props) {
    const Part = parts.value[name] as ComponentType<Props> | undefined;
    useEffect(() => {
      if (!Part) load().catch((e: unknown) => toast(explain(e)));
    }, []);
    return Part ? <Part {...props} /> : null;
  };
}
