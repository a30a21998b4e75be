// The dialect of DynamoDB's PartiQL, for the editor.

import { SQLDialect } from "@codemirror/lang-sql";
import { functions, keywords } from "./partiql_words";

export const PartiQLDialect = SQLDialect.define({
  keywords,
  builtin: functions,
  types: "",
  doubleQuotedStrings: false, // names of tables, indexes and attributes
  identifierQuotes: '"',
  operatorChars: "=<>+-*",
});
