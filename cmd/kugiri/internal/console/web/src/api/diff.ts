// What differs between two versions of an item, down to the members of maps and lists.

import { attribute, open, type AttributeValue, type Item } from "./values";

export interface Change {
  path: string; // as expressions write it: address.lines[0]
  before?: AttributeValue; // undefined: added
  after?: AttributeValue; // undefined: removed
}

/** The changes from one version of an item to another, keys and names in order. */
export function changesOf(before: Item, after: Item): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => changesOfValue(name, attribute(before, name), attribute(after, name)));
}

function changesOfValue(path: string, before: AttributeValue | undefined, after: AttributeValue | undefined): Change[] {
  if (before && after) {
    const [type, was] = open(before);
    const [typeAfter, is] = open(after);
    if (type === typeAfter) return changesOfType(path, type, was, is);
  }
  return [{ path, ...(before ? { before } : {}), ...(after ? { after } : {}) }];
}

function changesOfType(path: string, type: string, was: unknown, is: unknown): Change[] {
  switch (type) {
    case "M":
      return changesOf(was as Item, is as Item).map((c) => ({ ...c, path: `${path}.${c.path}` }));
    case "L": {
      const [a, b] = [was as AttributeValue[], is as AttributeValue[]];
      return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => changesOfValue(`${path}[${i}]`, a[i], b[i])).flat();
    }
    case "SS":
    case "NS":
    case "BS":
      return changesOfSet(path, type, was as string[], is as string[]);
    default:
      return was === is ? [] : [{ path, before: { [type]: was } as AttributeValue, after: { [type]: is } as AttributeValue }];
  }
}

// changesOfSet names the elements that went and those that came, not those that stayed.
function changesOfSet(path: string, type: string, was: string[], is: string[]): Change[] {
  const [had, has] = [new Set(was), new Set(is)];
  const gone = was.filter((one) => !has.has(one));
  const come = is.filter((one) => !had.has(one));
  if (gone.length + come.length === 0) return [];
  const of = (list: string[]) => ({ [type]: list }) as AttributeValue;
  return [{ path, ...(gone.length ? { before: of(gone) } : {}), ...(come.length ? { after: of(come) } : {}) }];
}
