// Placeholders of expressions. Every name and value gets one, so that no name is taken for a reserved
// word and none needs quoting.

import { parsePath } from "./paths";
import type { AttributeValue } from "./values";

export class Placeholders {
  readonly names: { [placeholder: string]: string } = {};
  readonly values: { [placeholder: string]: AttributeValue } = {};

  /** The text of a path in an expression: #address.#lines[0]. */
  path(text: string): string {
    const parts = parsePath(text).map((one) => (typeof one === "number" ? `[${one}]` : "." + this.name(one)));
    return parts.join("").slice(1);
  }

  /** The placeholder of a name, which is one placeholder wherever it is used. */
  name(name: string): string {
    const known = Object.entries(this.names).find(([, one]) => one === name);
    if (known) return known[0];
    const placeholder = unused("#" + word(name), this.names);
    this.names[placeholder] = name;
    return placeholder;
  }

  /** The placeholder of a value that is compared with what path names. */
  value(path: string, value: AttributeValue): string {
    const last = parsePath(path).findLast((one) => typeof one === "string");
    const placeholder = unused(":" + word(String(last)), this.values);
    this.values[placeholder] = value;
    return placeholder;
  }

  /** The members of a request that define the placeholders. */
  members(): object {
    return {
      ...(Object.keys(this.names).length ? { ExpressionAttributeNames: this.names } : {}),
      ...(Object.keys(this.values).length ? { ExpressionAttributeValues: this.values } : {}),
    };
  }
}

const maxWord = 40;

const word = (name: string) => name.replace(/[^A-Za-z0-9_]/g, "_").slice(0, maxWord);

function unused(placeholder: string, taken: object): string {
  let one = placeholder;
  for (let n = 2; Object.hasOwn(taken, one); n++) one = placeholder + n;
  return one;
}
