// Conditions of a filter: a path, an operator, and what it is compared with.

import type { Placeholders } from "./placeholders";
import { listOf, typedValue } from "./typed";
import type { TypeName } from "./values";

/** What a condition compares with: a value of a type, or another attribute. */
export type OperandType = TypeName | "path";

export interface Condition {
  path: string;
  op: FilterOperator;
  type: OperandType;
  value: string;
  to?: string; // the end of BETWEEN
  not?: boolean;
}

export const filterOperators = [
  "=", "<>", "<", "<=", ">", ">=", "between", "in", "begins_with", "contains", "attribute_exists", "attribute_not_exists", "attribute_type",
  "size =", "size <>", "size <", "size <=", "size >", "size >=",
] as const;
export type FilterOperator = (typeof filterOperators)[number];

export const emptyCondition: Condition = { path: "", op: "=", type: "S", value: "" };

/** Whether an operator has nothing to compare with. */
export const standsAlone = (op: FilterOperator) => op === "attribute_exists" || op === "attribute_not_exists";

/** The expression of a condition. It throws an error if a path or a value cannot be read. */
export function conditionText(c: Condition, to: Placeholders): string {
  const text = positive(c, to);
  return c.not ? `NOT ${text}` : text;
}

function positive(c: Condition, to: Placeholders): string {
  const path = to.path(c.path);
  const operand = (text: string) => (c.type === "path" ? to.path(text) : to.value(c.path, typedValue(c.type, text)));
  switch (c.op) {
    case "between":
      return `${path} BETWEEN ${operand(c.value)} AND ${operand(c.to ?? "")}`;
    case "in":
      return `${path} IN (${listOf(c.value).map(operand).join(", ")})`;
    case "begins_with":
    case "contains":
      return `${c.op}(${path}, ${operand(c.value)})`;
    case "attribute_exists":
    case "attribute_not_exists":
      return `${c.op}(${path})`;
    case "attribute_type":
      return `attribute_type(${path}, ${to.value(c.path, { S: c.value || "S" })})`;
    default:
      return c.op.startsWith("size ") ? sizeText(path, c, to) : `${path} ${c.op} ${operand(c.value)}`;
  }
}

function sizeText(path: string, c: Condition, to: Placeholders): string {
  const operand = c.type === "path" ? to.path(c.value) : to.value(c.path, typedValue("N", c.value));
  return `size(${path}) ${c.op.slice("size ".length)} ${operand}`;
}
