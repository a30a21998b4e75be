// Editor edits JSON or PartiQL. Its script comes when the first editor is shown; a plain field stands
// in until then, and all that somebody did there goes over into the editor.

import type { CompletionSource } from "@codemirror/autocomplete";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { EditorHandle } from "./codemirror";

/** Loads the script of the editors. */
export const loadEditor = () => import("./codemirror");

interface Props {
  label: string;
  value: string;
  language: "json" | "partiql" | "text"; // stays as it is
  onChange?: (text: string) => void;
  onRun?: () => void; // Ctrl Enter
  complete?: CompletionSource;
  readOnly?: boolean;
  placeholder?: string;
  autofocus?: boolean;
}

export function Editor(p: Props) {
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const composing = useRef<Promise<unknown> | undefined>(undefined); // ends with what an input method composes
  const handle = useRef<EditorHandle | undefined>(undefined);
  const props = useRef(p);
  props.current = p; // what the editor calls is that of the last drawing
  const [ready, setReady] = useState(false);
  useLayoutEffect(() => {
    field.current!.setSelectionRange(0, 0);
    if (p.autofocus) field.current!.focus();
    const take = async () => {
      const script = await loadEditor().catch(() => undefined); // without it the field stays
      await composing.current;
      if (!script || !box.current || !field.current) return; // or the view was left meanwhile
      const first = props.current;
      handle.current = script.createEditor(box.current, field.current, {
        label: first.label,
        language: first.language,
        readOnly: first.readOnly ?? false,
        placeholder: first.placeholder ?? "",
        onChange: (text) => props.current.onChange?.(text),
        onRun: () => props.current.onRun?.(),
        complete: (context) => props.current.complete?.(context) ?? null,
      });
      setReady(true);
    };
    void take();
    return () => handle.current?.destroy();
  }, []);
  // At once: what is typed meanwhile would be overwritten by what was typed before.
  useLayoutEffect(() => handle.current?.setText(p.value), [p.value]);
  useEffect(() => handle.current?.setReadOnly(p.readOnly ?? false), [p.readOnly]);
  return (
    <div class="editor" ref={box}>
      {!ready && (
        <textarea
          ref={field}
          class="mono"
          aria-label={p.label}
          placeholder={p.placeholder}
          readOnly={p.readOnly}
          spellcheck={false}
          value={p.value}
          onInput={(e) => p.onChange?.(e.currentTarget.value)}
          onCompositionStart={(e) => (composing.current = new Promise((end) => e.currentTarget.addEventListener("compositionend", end, { once: true })))}
          onKeyDown={(e) => {
            if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
            e.preventDefault();
            p.onRun?.();
          }}
        />
      )}
    </div>
  );
}
