import { BatchGetCommand, type DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

import { keyOf, type Item } from "./keys_support.js";
import { keyNames, table } from "./table_name.js";

const fetchSize = 100; // the most keys of a BatchGetItem
const fetchTries = 10; // how often keys are tried that a request left unprocessed
const fetchWait = 50; // milliseconds before the second try; it doubles

/** Reads items by their keys, in their order. It leaves out those that are not there. */
export async function fetchWhole(
  client: DynamoDBDocumentClient,
  items: Item[],
  asks: { ExpressionAttributeNames?: Record<string, string>; ProjectionExpression?: string; ConsistentRead?: boolean },
): Promise<Item[]> {
  const whole = new Map<string, Item>();
  for (let at = 0; at < items.length; at += fetchSize) {
    let keys = items.slice(at, at + fetchSize).map(keyOf);
    for (let tries = 0, wait = fetchWait; keys.length > 0; tries++, wait *= 2) {
      if (tries === fetchTries) throw new Error(`BatchGetItem left ${keys.length} keys unprocessed`);
      if (tries > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const out = await client.send(new BatchGetCommand({ RequestItems: { [table.name]: { Keys: keys, ...asks } } }));
      for (const item of out.Responses?.[table.name] ?? []) whole.set(keyText(item), item);
      keys = out.UnprocessedKeys?.[table.name]?.Keys ?? [];
    }
  }
  return items.map((item) => whole.get(keyText(item))).filter((item) => item !== undefined);
}

/** Writes the primary key of an item as one text. */
function keyText(item: Item): string {
  const texts = keyNames.map((name) => (item[name] instanceof Uint8Array ? [...item[name]] : item[name]));
  return JSON.stringify(texts);
}
