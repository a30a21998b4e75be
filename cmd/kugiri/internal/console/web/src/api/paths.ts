// Document paths: address.lines[0], or "a.b".c where a name has signs of the path in it.

import { t } from "../i18n";
import { open, type AttributeValue, type Item, type TypeName } from "./values";

export type Path = (string | number)[];

// A name after a dot, in quotes or not, or a position in a list.
const elements = /(\.?)(?:"((?:[^"]|"")*)"|([^.[\]"]+))|\[(\d+)\]/y;

/** The elements of a path. It throws an error if the text is none. */
export function parsePath(text: string): Path {
  const path: Path = [];
  const all = text.trim();
  for (let at = 0; at < all.length; at = elements.lastIndex) {
    elements.lastIndex = at;
    const m = elements.exec(all);
    const follows = m && (m[4] !== undefined || m[1] === ".");
    if (!m || Boolean(follows) !== path.length > 0) throw new Error(t("query.badPath", { path: text }));
    path.push(m[4] !== undefined ? Number(m[4]) : (m[2]?.replaceAll('""', '"') ?? m[3]!));
  }
  if (path.length === 0) throw new Error(t("query.noPath"));
  return path;
}

/** The text of a path, which parsePath reads. */
export function writePath(path: Path): string {
  return path.map((one, i) => (typeof one === "number" ? `[${one}]` : (i > 0 ? "." : "") + nameText(one))).join("");
}

const nameText = (name: string) => (/^[^.[\]"\s,]+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

const maxDepth = 4;
const maxPaths = 400;

/** The paths that items have, with the type that each was first seen with. */
export function pathsOf(items: Item[], into = new Map<string, TypeName>()): Map<string, TypeName> {
  const see = (path: Path, value: AttributeValue) => {
    if (into.size >= maxPaths) return;
    const [type, content] = open(value);
    const text = writePath(path);
    if (!into.has(text)) into.set(text, type);
    if (path.length >= maxDepth) return;
    if (type === "M") for (const [name, one] of Object.entries(content as Item)) see([...path, name], one);
    if (type === "L" && (content as AttributeValue[]).length > 0) see([...path, 0], (content as AttributeValue[])[0]!);
  };
  for (const item of items) for (const [name, value] of Object.entries(item)) see([name], value);
  return into;
}
