// The views of the console. A view is a file of the directory views, with a line here and in rest.ts.

import type { ComponentType } from "preact";
import type { TableDescription } from "./api/dynamodb";
import { loadEditor } from "./components/editor";
import type { IconName } from "./components/icon";
import { loadPartsBy } from "./components/late";
import type { Key } from "./i18n";
import { route } from "./state/route";
import { kugiri } from "./state/session";
import Items from "./views/items";
import Tables from "./views/tables";
import type { TableViewProps } from "./views/props";

// Most addresses name the views of tables and of items, which are in the script that a page loads first.
const loadLate = () => import("./rest");
loadPartsBy(loadLate);
const late = <View extends keyof Awaited<ReturnType<typeof loadLate>>>(view: View) => async () => (await loadLate())[view];

interface Common {
  id: string; // in the address: #/ID, or #/tables/NAME/ID
  title: Key;
  icon: IconName;
  needs?: "kugiri"; // leave it out for endpoints that are not Kugiri
}

/** A view of all tables, in the navigation. */
export interface ServerView extends Common {
  load: () => Promise<ComponentType>;
}

/** A view of one table, in its tabs. */
export interface TableView extends Common {
  wants?: (table: TableDescription) => boolean; // leave it out for other tables
  load: () => Promise<ComponentType<TableViewProps>>;
}

export const serverViews: ServerView[] = [
  { id: "tables", title: "tables.title", icon: "table", load: async () => Tables },
  { id: "partiql", title: "partiql.title", icon: "query", load: late("PartiQLView") },
  { id: "transaction", title: "transaction.title", icon: "check", load: late("Transaction") },
  { id: "request", title: "request.title", icon: "edit", load: late("RequestView") },
  { id: "design", title: "design.title", icon: "columns", load: late("Design") },
  { id: "traffic", title: "traffic.title", icon: "traffic", needs: "kugiri", load: late("TrafficView") },
  { id: "explorations", title: "explorations.title", icon: "swap", needs: "kugiri", load: late("Explorations") },
  { id: "forks", title: "forks.title", icon: "fork", needs: "kugiri", load: late("Forks") },
  { id: "cache", title: "cache.title", icon: "clock", needs: "kugiri", load: late("Cache") },
  { id: "faults", title: "faults.title", icon: "fault", needs: "kugiri", load: late("Faults") },
];

export const tableViews: TableView[] = [
  { id: "items", title: "items.title", icon: "items", load: async () => Items },
  { id: "query", title: "query.title", icon: "query", load: late("QueryView") },
  { id: "vectors", title: "vectors.title", icon: "query", wants: (table) => (table.VectorIndexes ?? []).length > 0, load: late("Vectors") },
  { id: "stream", title: "stream.title", icon: "stream", load: late("Stream") },
  { id: "info", title: "info.title", icon: "info", load: late("Info") },
];

/** Loads the script of the view that the address names, so that it is there when it is shown. */
export async function loadCurrentView(): Promise<void> {
  const [id = "tables", name, tab = "items"] = route.value.path;
  if (id === "tables" && name !== undefined) await tableViews.find((v) => v.id === tab)?.load();
  else await serverViews.find((v) => v.id === id)?.load();
}

/** The views of a table, as far as it is known. */
export const viewsOf = (table: TableDescription | undefined) => tableViews.filter((v) => available(v) && (!v.wants || (table !== undefined && v.wants(table))));

/** Whether the endpoint has what a view needs. */
export const available = (view: Common) => !view.needs || kugiri.value !== undefined;

/** Loads the scripts of all other views and of the editors, so that they are there even if the server is away. */
export async function loadTheRest(): Promise<void> {
  for (const load of [loadLate, loadEditor]) await load().catch(() => {}); // it is tried again when it is wanted
}
