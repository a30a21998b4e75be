// Deletes all items of a table, as any client can: a scan of the keys, and batches of deletions.

import { call, describeTable, type Page } from "./dynamodb";
import type { Item } from "./values";

interface Unprocessed {
  UnprocessedItems?: { [table: string]: { DeleteRequest: { Key: Item } }[] };
}

const batch = 25; // as many as BatchWriteItem takes

/** Deletes all items until signal ends it. It says how many were deleted so far, and returns that. */
export async function purge(table: string, progress: (deleted: number) => void, signal: AbortSignal): Promise<number> {
  const { KeySchema: keys } = await describeTable(table, signal);
  const names = Object.fromEntries(keys.map((k, i) => [`#k${i}`, k.AttributeName]));
  let deleted = 0;
  let from: Item | undefined;
  do {
    const page: Page = await call("Scan", {
      TableName: table,
      ProjectionExpression: Object.keys(names).join(", "),
      ExpressionAttributeNames: names,
      ...(from ? { ExclusiveStartKey: from } : {}),
    }, { signal });
    for (let i = 0; i < page.Items.length; i += batch) {
      const some = page.Items.slice(i, i + batch);
      await deleteAll(table, some, signal);
      progress((deleted += some.length));
    }
    from = page.LastEvaluatedKey;
  } while (from);
  return deleted;
}

async function deleteAll(table: string, keys: Item[], signal: AbortSignal): Promise<void> {
  let requests = keys.map((key) => ({ DeleteRequest: { Key: key } }));
  for (let wait = 50; requests.length > 0; wait = Math.min(5000, wait * 2)) {
    const out = await call<Unprocessed>("BatchWriteItem", { RequestItems: { [table]: requests } }, { signal });
    requests = out.UnprocessedItems?.[table] ?? [];
    if (requests.length > 0) await new Promise((done) => setTimeout(done, wait));
  }
}
