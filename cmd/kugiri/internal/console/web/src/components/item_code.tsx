// ItemCode shows requests for an item as programs: what reads it, puts it, deletes it, and what its change is.

import { useState } from "preact/hooks";
import type { Call } from "../api/code";
import type { TableDescription } from "../api/dynamodb";
import { requestOfEdit, type Edit } from "../api/edits";
import { keyOf } from "../api/schema";
import type { Item } from "../api/values";
import { t } from "../i18n";
import { Code } from "./code";
import { Choice } from "./controls";

export interface ItemCodeProps {
  table: TableDescription;
  item: Item;
  edit: Edit | undefined; // that waits to be sent
}

const kinds = ["get-item", "put-item", "update-item", "delete-item"] as const;
type Kind = (typeof kinds)[number];

export function ItemCode({ table, item, edit }: ItemCodeProps) {
  const [kind, setKind] = useState<Kind>(edit ? "update-item" : "put-item");
  const call = callOf(kind, table, item, edit);
  return (
    <>
      <Choice label={t("code.request")} value={kind} options={kinds.map((one) => ({ value: one, text: one }))} onChange={setKind} />
      {call ? <Code call={call} /> : <p class="muted">{t("code.noChange")}</p>}
    </>
  );
}

function callOf(kind: Kind, table: TableDescription, item: Item, edit: Edit | undefined): Call | undefined {
  const TableName = table.TableName;
  const Key = keyOf(table.KeySchema, item);
  switch (kind) {
    case "get-item":
      return { operation: "GetItem", input: { TableName, Key } };
    case "put-item":
      return { operation: "PutItem", input: { TableName, Item: item } };
    case "delete-item":
      return { operation: "DeleteItem", input: { TableName, Key } };
    case "update-item":
      return edit && requestOfEdit(table, edit);
  }
}
