// Short messages about what was done.

import { signal } from "@preact/signals";
import { t } from "../i18n";

export interface ToastAction {
  text: string; // of its button
  run: () => void;
}

const message = signal("");
const action = signal<ToastAction | undefined>(undefined);
let ends: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for some seconds, and has screen readers say it. */
export function toast(text: string, does?: ToastAction): void {
  message.value = text;
  action.value = does;
  clearTimeout(ends);
  ends = setTimeout(() => (message.value = ""), does ? 20_000 : 5000);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {message.value && <div class="toast">{message.value}{action.value && <button type="button" class="button" onClick={() => { const { run } = action.value!; message.value = ""; run(); }}>{action.value.text}</button>}</div>}
    </div>
  );
}

/** Copies text, and says whether it could. */
export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // without the permission, or on a page that is not secure
    if (!copySelected(text)) return toast(t("common.notCopied"));
  }
  toast(done);
}

// copySelected copies a text as a person does who selects it.
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.cssText = "position: fixed; opacity: 0";
  (document.querySelector("dialog[open]") ?? document.body).append(field); // outside of a dialog nothing takes the focus
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
