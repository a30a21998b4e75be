// Dialogs, and the question before what cannot be undone.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { session } from "../state/session";
import { useAnswer } from "./answer";
import { Button, Problem, TextField } from "./controls";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
  changed?: boolean; // somebody has typed what would be lost: Escape and the cross ask first
}

// Where a dialog begins: what asks for the focus, the first field of its form, its first field at all,
// or the first button below it, which is that to cancel. What a form is made from, above it, comes later.
const beginnings = ["[autofocus]", ":scope form :is(input, select, textarea):enabled", ":is(input, select, textarea, .choice [aria-pressed=true]):enabled", "footer button:enabled"];

function begin(dialog: HTMLDialogElement): void {
  for (const selector of beginnings) {
    const found = dialog.querySelector<HTMLElement>(selector);
    if (found) return found.focus();
  }
}

/** A modal dialog. It begins at its first field. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children, wide, changed }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const [leaving, setLeaving] = useState(false);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    ref.current!.showModal();
    begin(ref.current!);
    // Later: until the dialog has gone, nothing outside of it takes the focus.
    return () => queueMicrotask(() => before instanceof HTMLElement && before.focus());
  }, []);
  const leave = () => (changed ? setLeaving(true) : onClose());
  const escape = (e: Event) => { // at once: the browser would close the dialog, and tell the page later
    if (e.defaultPrevented || (e.target as Element).closest("dialog") !== ref.current) return;
    e.preventDefault();
    leave();
  };
  return (
    <dialog ref={ref} class={wide ? "wide" : ""} aria-labelledby={id} onClose={onClose} onCancel={escape} onKeyDown={(e) => e.key === "Escape" && escape(e)}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button icon="close" kind="quiet" label={t("common.close")} onClick={leave} />
      </header>
      {children}
      {leaving && <Question title={t("leave.title")} stay={t("leave.stay")} action={t("leave.go")} onYes={onClose} onClose={() => setLeaving(false)} />}
    </dialog>
  );
}

interface QuestionProps {
  title: string;
  text?: string;
  stay?: string; // the name of the button that does nothing
  action: string; // the name of the button that does it
  kind?: "primary" | "danger";
  onYes: () => void;
  onClose: () => void;
}

/** Asks before something is done. It begins at the button that does nothing. */
export function Question({ title, text, stay = t("common.cancel"), action, kind = "danger", onYes, onClose }: QuestionProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {text && <p>{text}</p>}
      <footer class="end">
        <Button onClick={onClose}>{stay}</Button>
        <Button kind={kind} onClick={() => { onClose(); onYes(); }}>{action}</Button>
      </footer>
    </Dialog>
  );
}

interface ConfirmProps {
  title: string;
  text: string;
  word: string; // to be typed
  action: string; // the name of the button
  run: () => Promise<void>;
  onClose: () => void;
}

/**
 * Asks for a word before it runs what cannot be undone. Shift Delete, which nobody presses by habit, stands
 * for the word, but not at an endpoint of others, such as AWS.
 */
export function ConfirmByWord({ title, text, word, action, run, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState("");
  const { error, fail, isOpen } = useAnswer();
  const [running, setRunning] = useState(false);
  const hasKey = !session.value?.readOnly;
  const attempt = async () => {
    if (running) return;
    setRunning(true);
    try {
      await run();
      if (isOpen()) onClose();
    } catch (e) {
      fail(e);
      setRunning(false);
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (typed === word) void attempt();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!hasKey || event.key !== "Delete" || !event.shiftKey || event.repeat) return;
    event.preventDefault();
    void attempt();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} onKeyDown={onKeyDown}>
        <p>{text}</p>
        <TextField label={t("confirm.type", { word })} hint={hasKey && t("confirm.key")} value={typed} onInput={setTyped} mono autofocus />
        <Problem text={error} />
        <footer>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" kind="danger" disabled={typed !== word || running}>{action}</Button>
        </footer>
      </form>
    </Dialog>
  );
}
