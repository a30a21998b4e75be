// Lists that the browser keeps, for each endpoint and identity. Pages of other tabs see their changes.

import { signal, type Signal } from "@preact/signals";
import { identity } from "./identity";
import { session } from "./session";

/** Whether the browser does not keep a list, as it has no room or does not want to. */
export const notKept = signal(false);

/** The lists of a kind: of the present endpoint and identity, and of what further names say. */
export function keptLists<T>(kind: string): (...of: string[]) => Signal<T[]> {
  const lists = new Map<string, Signal<T[]>>();
  let heard = false; // what is set now is kept already: to write it again could undo what another tab has written since
  addEventListener("storage", (e) => {
    const list = e.key === null ? undefined : lists.get(e.key);
    heard = true;
    if (list) list.value = parse(e.newValue);
    heard = false;
  });
  return (...of) => {
    const { accessKey, region } = identity.value;
    const place = `kugiri.${kind}.` + JSON.stringify([session.value?.endpoint ?? "", accessKey, region, ...of]);
    if (!lists.has(place)) {
      const list = signal(read<T>(place));
      lists.set(place, list);
      heard = true;
      list.subscribe((value) => {
        if (!heard) keep(place, value);
      });
      heard = false;
    }
    return lists.get(place)!;
  };
}

function read<T>(place: string): T[] {
  try {
    return parse(localStorage.getItem(place));
  } catch {
    return []; // the browser keeps nothing
  }
}

function parse<T>(text: string | null): T[] {
  try {
    return JSON.parse(text ?? "[]") as T[];
  } catch {
    return [];
  }
}

function keep(place: string, list: unknown[]): void {
  try {
    if (list.length === 0) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(list));
    notKept.value = false;
  } catch {
    notKept.value = true;
  }
}
