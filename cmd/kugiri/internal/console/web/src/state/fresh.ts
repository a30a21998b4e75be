// Results that stay as they were found, such as those of a query: their items are shown as they are now.

import { useEffect, useRef } from "preact/hooks";
import type { TableDescription } from "../api/dynamodb";
import { readItems } from "../api/read_items";
import type { Item } from "../api/values";
import { knownOf, learnedAll, readingBegins } from "./known";

const most = 1000; // items

/** Reads items again, by their keys, when anything may have changed: an import, statements or a snapshot. */
export function useFresh(table: TableDescription, items: Item[]): void {
  const { resets } = knownOf(table);
  const last = useRef(resets);
  useEffect(() => {
    if (resets === last.current) return;
    last.current = resets;
    const began = readingBegins();
    const keys = items.slice(0, most);
    readItems(keys.map((key) => ({ table, key }))).then((now) => learnedAll(table, keys, now, began), () => {}); // they may not be read
  }, [resets]);
}
