// A change of a table's settings: the fields of its form, and the requests that it sends.

import type { ComponentType } from "preact";
import type { Item } from "../../api/values";
import type { Key } from "../../i18n";

export type Values = { [name: string]: string }; // of checks "1" or ""

export interface Field {
  name: string;
  label: Key;
  of?: { [parameter: string]: string | number }; // of the label
  kind: "text" | "number" | "select" | "check" | "json" | "moment";
  options?: string[]; // of a select
  from?: number; // of a moment, in seconds since 1970
  to?: number;
  hint?: Key;
  when?: (values: Values) => boolean; // it is shown
  attribute?: boolean; // it takes the name of one, and proposes those that items have
}

export interface Request {
  operation: string;
  input: object;
}

export interface Change {
  id: string; // no other change of the table has it
  title: string;
  fields: Field[];
  values: Values; // to begin with
  requests: (values: Values) => Request[]; // throws an error if a field cannot be read
  replaces?: boolean; // the values to begin with are those of now: as long as nothing is different, there is nothing to send
  destroys?: boolean; // something is gone then
  table?: string; // whose items are looked at, so that the form can propose attributes
  follow?: (values: Values, sample: Item[]) => Values; // what the fields become when one of them is written
  About?: ComponentType<{ values: Values; sample: Item[] }>; // what is said of the values
}

/** What is wrong with a field, which says it. */
export class FieldFault extends Error {
  constructor(readonly field: string, text: string) {
    super(text);
  }
}

/** A whole number that a field has. */
export const whole = (text: string | undefined) => (text && /^\d+$/.test(text.trim()) ? Number(text) : NaN);

/** A member of a request, if its field has something. */
export const given = (name: string, value: string | undefined, of: (text: string) => unknown = (text) => text) => (value ? { [name]: of(value) } : {});
