// The dialogs, in a script of their own that comes when the first of them is opened.

export { ExportDialog } from "./export_dialog";
export { ImportDialog } from "./import_dialog";
