// Editor edits JSON or PartiQL. Its script comes when the first editor is shown.

import type { CompletionSource } from "@codemirror/autocomplete";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { EditorHandle } from "./codemirror";

/** Loads the script of the editors. */
export const loadEditor = () => import("./codemirror");

interface Props {
  label: string;
  value: string;
  language: "json" | "partiql" | "text";
  onChange?: (text: string) => void;
  onRun?: () => void; // Ctrl Enter
  complete?: CompletionSource;
  readOnly?: boolean;
  placeholder?: string;
  autofocus?: boolean;
}

export function Editor(p: Props) {
  const box = useRef<HTMLDivElement>(null);
  const handle = useRef<EditorHandle | undefined>(undefined);
  const props = useRef(p);
  props.current = p; // what the editor calls is that of the last drawing
  useEffect(() => {
    let gone = false;
    void loadEditor().then(({ createEditor }) => {
      if (gone || !box.current) return; // the view was left meanwhile
      const first = props.current;
      handle.current = createEditor(box.current, {
        label: first.label,
        text: first.value,
        language: first.language,
        readOnly: first.readOnly ?? false,
        placeholder: first.placeholder ?? "",
        onChange: (text) => props.current.onChange?.(text),
        onRun: () => props.current.onRun?.(),
        complete: (context) => props.current.complete?.(context) ?? null,
      });
      if (first.autofocus) handle.current.focus();
    });
    return () => {
      gone = true;
      handle.current?.destroy();
      handle.current = undefined;
    };
  }, [p.language]);
  // At once: what is typed meanwhile would be overwritten by what was typed before.
  useLayoutEffect(() => handle.current?.setText(p.value), [p.value]);
  useEffect(() => handle.current?.setReadOnly(p.readOnly ?? false), [p.readOnly]);
  return <div class="editor" ref={box} />;
}
