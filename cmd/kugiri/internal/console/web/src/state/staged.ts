// Items as the edits that wait to be sent leave them.

import type { TableDescription } from "../api/dynamodb";
import { editId, idOf, type Edit } from "../api/edits";
import type { Source } from "../api/schema";
import type { Item } from "../api/values";
import { editsOf } from "./edits";

export interface Staged {
  count: number;
  conflicts: number;
  of: (item: Item) => Edit | undefined; // the edit of an item
  shown: (item: Item) => Item; // an item as it will be, or as it was if it is deleted
  created: Item[]; // those that are not there yet
}

/** The edits of a table that wait to be sent, for a view of it. */
export function stagedOf(table: TableDescription, source: Source): Staged {
  const edits = editsOf(table).value;
  const byId = new Map(edits.map((edit) => [editId(table, edit), edit]));
  const of = (item: Item) => (byId.size > 0 ? byId.get(idOf(table, item)) : undefined);
  return {
    count: edits.length,
    conflicts: edits.filter((edit) => edit.conflict).length,
    of,
    shown: (item) => of(item)?.mine ?? item,
    created: source.index ? [] : edits.flatMap((edit) => (edit.mine && !edit.base ? [edit.mine] : [])),
  };
}

/** The class of the row of an item. */
export function stagedClass(edit: Edit | undefined): string {
  if (!edit) return "";
  if (edit.conflict) return "edit-conflict";
  return !edit.base ? "edit-new" : edit.mine ? "edit-changed" : "edit-deleted";
}
