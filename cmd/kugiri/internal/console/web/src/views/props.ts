import type { TableDescription } from "../api/dynamodb";

/** What a view of a table is given. */
export interface TableViewProps {
  table: TableDescription;
  refresh: () => void; // reads the description of the table anew
}
