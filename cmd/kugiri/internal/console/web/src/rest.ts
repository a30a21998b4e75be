// The views and dialogs that a page seldom shows first, in one script. Every page loads it when it has time, and
// each further script would be one more request.

import { ItemCode } from "./components/item_code";
import { ItemEditor } from "./components/item_editor";
import { provide } from "./components/late";
import { ExportDialog } from "./transfer/export_dialog";
import { ImportDialog } from "./transfer/import_dialog";
import { ItemsFilter } from "./views/items_filter";
import { FirstScreen } from "./views/first_screen";
import { CreateTable } from "./views/create_table";

provide({ CreateTable, ExportDialog, FirstScreen, ImportDialog, ItemCode, ItemEditor, ItemsFilter });

export { default as Cache } from "./views/cache/cache";
export { default as Design } from "./views/design";
export { default as Explorations } from "./views/explorations/explorations";
export { default as Faults } from "./views/faults/faults";
export { default as Forks } from "./views/forks/forks";
export { default as Info } from "./views/info";
export { default as PartiQLView } from "./views/partiql";
export { default as QueryView } from "./views/query";
export { default as RequestView } from "./views/request";
export { default as Stream } from "./views/stream";
export { default as TrafficView } from "./views/traffic/traffic";
export { default as Transaction } from "./views/transaction";
export { default as Vectors } from "./views/vectors";
