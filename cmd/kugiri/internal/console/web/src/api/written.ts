// What the page writes, for those who show items.

type Listener = (tables: string[] | undefined) => void;

const listeners: Listener[] = [];

/** Has a function called after each write, with the tables that it has changed; undefined: any. */
export const onWritten = (listener: Listener) => void listeners.push(listener);

/** Tells that tables may have changed in a way that the caller does not know. */
export const written = (tables?: string[]) => listeners.forEach((one) => one(tables));

interface Input {
  TableName?: string;
  RequestItems?: { [table: string]: unknown };
  TransactItems?: { [action: string]: { TableName?: string } }[];
}

/** The tables that a request of an operation writes to, undefined if it does not say. */
export function tablesOf(input: object): string[] | undefined {
  const { TableName, RequestItems, TransactItems } = input as Input;
  if (TableName) return [TableName];
  if (RequestItems) return Object.keys(RequestItems);
  const names = TransactItems?.flatMap((one) => Object.values(one).map((action) => action.TableName));
  return names?.every((one) => one !== undefined) ? [...new Set(names as string[])] : undefined;
}
