// Short messages about what was done.

import { signal } from "@preact/signals";

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

/** Copies text, and says so. */
export async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toast(done);
}
