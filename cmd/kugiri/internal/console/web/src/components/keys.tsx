// The keys that work everywhere, and a list of all keys.

import { signal } from "@preact/signals";
import { t, type Key } from "../i18n";
import { viewsOf } from "../registry";
import { navigate, route } from "../state/route";
import { tableInfos } from "../state/tables";
import { Dialog } from "./dialog";
import { openPalette } from "./palette";

const shown = signal(false);

export function showKeys(): void {
  shown.value = true;
}

const keys: { keys: string[]; does: Key }[] = [
  { keys: ["?"], does: "keys.list" },
  { keys: ["Ctrl K", "g"], does: "keys.go" },
  { keys: ["1", "…", "9"], does: "keys.tab" },
  { keys: ["/"], does: "keys.filter" },
  { keys: ["↑", "↓", "Page Up", "Page Down", "Home", "End"], does: "keys.move" },
  { keys: ["↓"], does: "keys.toListKey" },
  { keys: ["Enter"], does: "keys.open" },
  { keys: ["←", "→"], does: "keys.cell" },
  { keys: ["Space", "Shift ↓"], does: "keys.select" },
  { keys: ["Ctrl A"], does: "keys.selectAll" },
  { keys: ["F2"], does: "keys.edit" },
  { keys: ["Ctrl C"], does: "keys.copy" },
  { keys: ["Shift F10"], does: "keys.menu" },
  { keys: ["Delete"], does: "keys.delete" },
  { keys: ["Shift Delete"], does: "keys.deleteNow" },
  { keys: ["Escape"], does: "keys.close" },
  { keys: ["←", "→"], does: "keys.width" },
  { keys: ["Ctrl Enter"], does: "keys.run" },
];

/** The list of keys, if it was asked for. */
export function Keys() {
  if (!shown.value) return null;
  return (
    <Dialog wide title={t("keys.title")} onClose={() => (shown.value = false)}>
      <dl class="keys">
        {keys.map((one) => (
          <div key={one.does}>
            <dt>{one.keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{t(one.does)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const typing = "input, textarea, select, dialog, [contenteditable]";

// isTyped reports whether a key goes into a field. The target of an event from within a shadow root,
// where editors are, is the root's host: only the path of the event names the editor.
function isTyped(e: KeyboardEvent): boolean {
  return e.isComposing || e.composedPath().some((on) => on instanceof Element && on.matches(typing));
}

addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || isTyped(e)) return;
  if (e.key === "?") showKeys();
  else if (e.key === "g") openPalette();
  else if (e.key === "/") filter()?.focus();
  else if (!goToTab(Number(e.key))) return;
  e.preventDefault();
});

// filter is the first field of what is shown.
const filter = () => document.querySelector<HTMLElement>("#main input[type=text]");

// goToTab shows a view of the table that is shown, the first for 1.
function goToTab(n: number): boolean {
  const [id, name] = route.value.path;
  const view = viewsOf(tableInfos.value.get(name ?? "")?.table)[n - 1];
  if (id !== "tables" || name === undefined || !view) return false;
  navigate(["tables", name, view.id]);
  return true;
}
