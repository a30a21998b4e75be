// The Query or Scan that the address describes: index, p0 and so on for the partition key, op with s
// and s2 for the sort key, desc for the order.

import type { TableDescription } from "../api/dynamodb";
import { partitionKeys, sortKeys, typeOf, type Source } from "../api/schema";
import { keyValue, type AttributeValue } from "../api/values";

export const operators = ["=", "begins_with", "between", "<", "<=", ">", ">="] as const;
export type Operator = (typeof operators)[number];

export interface Request {
  operation: "Query" | "Scan";
  input: object;
}

/** The request that a query of the address stands for: a Query if it has a partition key. */
export function requestOf(table: TableDescription, source: Source, query: URLSearchParams): Request {
  const from = { TableName: table.TableName, ...(source.index ? { IndexName: source.index } : {}) };
  const partition = partitionKeys(source.keys);
  if (partition.length === 0 || !partition.every((_, i) => query.get(`p${i}`))) return { operation: "Scan", input: from };
  const names: { [placeholder: string]: string } = {};
  const values: { [placeholder: string]: AttributeValue } = {};
  const conditions = partition.map((name, i) => {
    names[`#p${i}`] = name;
    values[`:p${i}`] = keyValue(typeOf(table, name), query.get(`p${i}`)!);
    return `#p${i} = :p${i}`;
  });
  const sort = sortKeys(source.keys)[0];
  if (sort && query.get("s")) {
    names["#s"] = sort;
    values[":s"] = keyValue(typeOf(table, sort), query.get("s")!);
    if (query.get("op") === "between") values[":s2"] = keyValue(typeOf(table, sort), query.get("s2") ?? "");
    conditions.push(sortCondition((query.get("op") ?? "=") as Operator));
  }
  return {
    operation: "Query",
    input: {
      ...from,
      KeyConditionExpression: conditions.join(" AND "),
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ...(query.get("desc") ? { ScanIndexForward: false } : {}),
    },
  };
}

function sortCondition(op: Operator): string {
  switch (op) {
    case "begins_with":
      return "begins_with(#s, :s)";
    case "between":
      return "#s BETWEEN :s AND :s2";
    default:
      return `#s ${op} :s`;
  }
}
