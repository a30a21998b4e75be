// What the programs in all languages are made from.

import { t } from "../../i18n";

/** An operation with its input, as it is on the wire. */
export interface Call {
  operation: "Query" | "Scan" | "ExecuteStatement" | "BatchExecuteStatement" | "ExecuteTransaction" | "GetItem" | "PutItem" | "UpdateItem" | "DeleteItem" | "ListTables";
  input: object;
}

/** Where a program sends its request. */
export interface Target {
  endpoint: string; // "" for that of AWS
  region: string;
  accessKey: string; // "" for the program's own credentials
}

/** The secret key that goes with an access key. Endpoints that let one choose the key do not check it. */
export const secretKey = "test";

/** What a member of an input holds. */
export type Kind = "string" | "strings" | "enum" | "number" | "boolean" | "names" | "item" | "values" | "statements";

const kinds: { [member: string]: Kind } = {
  TableName: "string", IndexName: "string", KeyConditionExpression: "string", FilterExpression: "string", ProjectionExpression: "string",
  UpdateExpression: "string", ConditionExpression: "string", Key: "item", Item: "item",
  Statement: "string", NextToken: "string", ClientRequestToken: "string", AttributesToGet: "strings",
  Select: "enum", ReturnConsumedCapacity: "enum", ReturnValuesOnConditionCheckFailure: "enum",
  ConsistentRead: "boolean", ScanIndexForward: "boolean", Limit: "number", Segment: "number", TotalSegments: "number",
  ExpressionAttributeNames: "names", ExpressionAttributeValues: "item", ExclusiveStartKey: "item",
  Parameters: "values", Statements: "statements", TransactStatements: "statements",
};

/** The members of an input with their kinds. It throws an error for members that DynamoDB keeps for old programs only. */
export function membersOf(input: object): { name: string; kind: Kind; value: unknown }[] {
  return Object.entries(input).map(([name, value]) => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!kind) throw new Error(t("code.unknown", { member: name }));
    return { name, kind, value };
  });
}

/** Whether a program reads all pages: those of Query and Scan, unless a limit is given. */
export const readsPages = ({ operation, input }: Call) => (operation === "Query" || operation === "Scan") && !("Limit" in input) && !("ExclusiveStartKey" in input);

/** The member of an answer that a program prints, "" for nothing: of a write. */
export function printed({ operation, input }: Call): "Count" | "Items" | "Responses" | "Item" | "TableNames" | "" {
  if ((input as { Select?: string }).Select === "COUNT") return "Count";
  if (operation === "GetItem") return "Item";
  if (operation === "ListTables") return "TableNames";
  if (operation === "PutItem" || operation === "UpdateItem" || operation === "DeleteItem") return "";
  return operation === "BatchExecuteStatement" || operation === "ExecuteTransaction" ? "Responses" : "Items";
}

/** Indents each line of a program. Its texts have no line breaks of their own: they are escaped. */
export const indent = (code: string, by: string) => code.split("\n").map((line) => line && by + line).join("\n");

const shortLine = 88;

/** A list of parts on one line, or on a line each if that would be long. */
export function listOfParts(begin: string, parts: string[], end: string, by: string, room = ""): string {
  const line = begin + room + parts.join(", ") + room + end;
  if (parts.length === 0) return begin + end;
  if (line.length <= shortLine && !line.includes("\n")) return line;
  return `${begin}\n${parts.map((one) => indent(one, by) + ",\n").join("")}${end}`;
}

/** The name with which a language names a member: tableName for TableName. */
export const lowerFirst = (name: string) => name[0]!.toLowerCase() + name.slice(1);
