// Takes back what was sent, whatever part of the page has sent it.

import { call, describeTable, type TableDescription } from "../api/dynamodb";
import { actionOf, moveItems } from "../api/edits";
import { undoEdits } from "./edits";
import { applied } from "./known";
import { editOf, forget, remember, type Change, type Sending } from "./sendings";

/** Takes the items of what was sent back to what they were before, if nobody has changed them since. It returns how many it took back. */
export async function undo(one: Sending): Promise<number> {
  const names = [...new Set(one.changes.map((change) => change.table))];
  const tables = new Map(await Promise.all(names.map(async (name) => [name, await describeTable(name)] as const)));
  if (names.length === 1) return (await undoEdits(tables.get(names[0]!)!, one)).length;
  const back = one.changes.map(({ table, edit }) => ({ table, edit: editOf(edit.mine, edit.base) }));
  if (one.way === "move") await moveBack(one.changes);
  else await inTransactions(back, tables);
  forget(one);
  remember(one.way, back);
  return one.way === "move" ? back.length / 2 : back.length;
}

async function moveBack(changes: Change[]): Promise<void> {
  const put = changes.filter(({ edit }) => edit.mine);
  const from = changes.find(({ edit }) => !edit.mine)!.table;
  await moveItems(put[0]!.table, from, put.map(({ edit }) => edit.mine!), () => {});
}

const maxActions = 100;

// inTransactions sends changes of several tables: as one transaction, as all that writes several tables at once has
// no more than one can take.
async function inTransactions(changes: Change[], tables: Map<string, TableDescription>): Promise<void> {
  for (let i = 0; i < changes.length; i += maxActions) {
    const part = changes.slice(i, i + maxActions);
    await call("TransactWriteItems", { TransactItems: part.map(({ table, edit }) => actionOf(tables.get(table)!, edit)) }, { tells: true });
    for (const [name, table] of tables) applied(table, part.filter((one) => one.table === name).map((one) => one.edit));
  }
}
