// The state of the page is in the part of the address after #, so that a link shows others the same:
// #/tables/orders/items?index=by-state&pk=open

import { signal } from "@preact/signals";

export interface Route {
  path: string[];
  query: URLSearchParams;
}

let seen = ""; // the address that route stands for

function read(): Route {
  seen = location.hash;
  return parse();
}

function parse(): Route {
  const [path = "", query = ""] = splitOnce(location.hash.replace(/^#\/?/, ""), "?");
  return { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = signal<Route>(read());

addEventListener("hashchange", () => (route.value = read()));

/** Whether the address has become another one, of which the page hears in a moment. */
export const leaving = () => location.hash !== seen;

/** Query parameters, of which undefined and "" are left out. */
export type Query = { [name: string]: string | undefined };

/** The address of a path. Whose tables are shown stays the same. */
export function href(path: string[], query: Query = {}): string {
  const all = new URLSearchParams();
  const as = route.value.query.get("as");
  if (as) all.set("as", as);
  for (const [name, value] of Object.entries(query)) if (value) all.set(name, value);
  const text = all.toString();
  return "#/" + path.map(encodeURIComponent).join("/") + (text ? "?" + text : "");
}

export function navigate(path: string[], query: Query = {}): void {
  location.hash = href(path, query);
}

/** Changes some parameters of the address and keeps the others. replace makes no entry in the history. */
export function setQuery(changes: Query, replace = false): void {
  const { path, query } = parse(); // route may be that of before, if the address has just been changed
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  const to = "#/" + path.map(encodeURIComponent).join("/") + (text ? "?" + text : "");
  if (replace) {
    history.replaceState(null, "", to);
    route.value = read();
  } else {
    location.hash = to;
  }
}
