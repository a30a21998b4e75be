import { type Item } from "./keys_support.js";
import { type Results } from "./results_support.js";

/** Reads a result two items at a time, and goes on at its position each time. */
export async function pages(results: Results): Promise<Item[]> {
  const found: Item[] = [];
  for (;;) {
    const items = await results.next(2);
    if (items.length === 0) return found;
    found.push(...items);
    results.continue(results.position());
  }
}
