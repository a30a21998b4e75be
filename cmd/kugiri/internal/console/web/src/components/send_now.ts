// Sends edits at once, without the list of changes, which shows why if they are refused.

import { explain, type TableDescription } from "../api/dynamodb";
import { editId, idOf } from "../api/edits";
import type { Item } from "../api/values";
import { t } from "../i18n";
import { editsOf, sendEdits } from "../state/edits";
import { setQuery } from "../state/route";
import { toast } from "./toast";

/** Sends the edit of the list that is of an item. */
export function sendNow(table: TableDescription, item: Item): void {
  const own = editsOf(table).value.filter((one) => editId(table, one) === idOf(table, item));
  sendEdits(table, own).then((applied) => {
    if (applied.length > 0) toast(t("changes.applied", { count: applied.length }));
    const left = editsOf(table).value.some((one) => editId(table, one) === idOf(table, item));
    if (applied.length === 0 && !left) toast(t("changes.already"));
    if (left) setQuery({ item: undefined, changes: "1" }, true);
  }, (e: unknown) => toast(explain(e)));
}
