// Attribute values, on a line and as a tree.

import { brief, open, type AttributeValue } from "../api/values";

/** A value on one line, as a cell of a grid shows it. */
export function ValueCell({ value }: { value: AttributeValue | undefined }) {
  if (!value) return null;
  const [type] = open(value);
  const text = brief(value);
  return <span class={`value t-${type}`} title={text}>{text}</span>;
}
