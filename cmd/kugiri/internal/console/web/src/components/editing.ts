// What edits items, in a script of its own that comes when it is first shown.

export { ChangesPanel } from "./changes_panel";
export { ItemEditor } from "./item_editor";
