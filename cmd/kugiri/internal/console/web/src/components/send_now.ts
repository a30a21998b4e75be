// Sends edits at once, without the list of changes, which shows why if they are refused.

import { explain, type TableDescription } from "../api/dynamodb";
import { editId, idOf } from "../api/edits";
import type { Item } from "../api/values";
import { t } from "../i18n";
import { editsOf, sendEdits } from "../state/edits";
import { setQuery } from "../state/route";
import { toast } from "./toast";

/** Sends the edits of the list that are of some items, together. */
export function sendNow(table: TableDescription, ...items: Item[]): void {
  const ids = new Set(items.map((item) => idOf(table, item)));
  const own = () => editsOf(table).value.filter((one) => ids.has(editId(table, one)));
  sendEdits(table, own()).then((applied) => {
    if (applied.length > 0) toast(t("changes.applied", { count: applied.length }));
    const left = own().length > 0;
    if (applied.length === 0 && !left) toast(t("changes.already"));
    if (left) setQuery({ item: undefined, changes: "1" }, true);
  }, (e: unknown) => toast(explain(e)));
}
