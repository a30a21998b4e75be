// Short messages about what was done.

import { signal } from "@preact/signals";

const message = signal("");
let ends: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for some seconds, and has screen readers say it. */
export function toast(text: string): void {
  message.value = text;
  clearTimeout(ends);
  ends = setTimeout(() => (message.value = ""), 5000);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {message.value && <div class="toast">{message.value}</div>}
    </div>
  );
}

/** Copies text, and says so. */
export async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toast(done);
}
