// The words of DynamoDB's PartiQL, for the editor.

import { SQLDialect } from "@codemirror/lang-sql";

export const keywords =
  "select from where and or not in between is missing null true false insert into value update set remove delete returning all modified old new exists order by asc desc limit";

export const functions = "attribute_type begins_with contains size list_append set_add set_delete";

export const PartiQLDialect = SQLDialect.define({
  keywords,
  builtin: functions,
  types: "",
  doubleQuotedStrings: false, // names of tables, indexes and attributes
  identifierQuotes: '"',
  operatorChars: "=<>+-*",
});
