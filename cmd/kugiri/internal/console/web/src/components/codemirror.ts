// The editor of CodeMirror, in a chunk of its own, as it is larger than all else.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionSource } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { PartiQLDialect } from "./partiql_dialect";
import { sql } from "@codemirror/lang-sql";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { linter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface EditorOptions {
  label: string;
  language: "json" | "partiql" | "text";
  readOnly: boolean;
  placeholder: string;
  onChange: (text: string) => void;
  onRun: () => void; // Ctrl Enter, or Cmd Enter
  complete: CompletionSource;
}

export interface EditorHandle {
  setText: (text: string) => void; // does nothing if the text is that already
  setReadOnly: (on: boolean) => void;
  destroy: () => void;
}

/**
 * Puts an editor into an element, in place of a field whose text, selection and focus it takes. It is
 * in a shadow tree, as CodeMirror constructs style sheets there, which the page's policy allows, and
 * adds style elements to documents, which it does not.
 */
export function createEditor(parent: HTMLElement, field: HTMLTextAreaElement, options: EditorOptions): EditorHandle {
  const focused = document.activeElement === field; // until the shadow tree hides it
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  const editable = new Compartment();
  const access = (readOnly: boolean) => [EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)];
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: field.value,
      selection: selectionOf(field),
      extensions: [editable.of(access(options.readOnly)), ...extensions(options)],
    }),
  });
  if (focused) view.focus();
  return {
    setText: (text) => {
      if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setReadOnly: (on) => view.dispatch({ effects: editable.reconfigure(access(on)) }),
    destroy: () => view.destroy(),
  };
}

function selectionOf({ selectionStart: from, selectionEnd: to, selectionDirection: direction }: HTMLTextAreaElement) {
  return direction === "backward" ? { anchor: to, head: from } : { anchor: from, head: to };
}

function extensions(o: EditorOptions): Extension[] {
  return [
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of("  "),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    o.language === "json" ? [json(), linter(jsonParseLinter())] : o.language === "partiql" ? sql({ dialect: PartiQLDialect }) : [],
    autocompletion({ override: [o.complete] }),
    keymap.of([
      { key: "Mod-Enter", run: () => (o.onRun(), true) },
      ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap,
      indentWithTab,
    ]),
    placeholder(o.placeholder),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": o.label, tabindex: "0" }),
    EditorView.updateListener.of((u) => {
      if (u.docChanged) o.onChange(u.state.doc.toString());
    }),
    theme,
    syntaxHighlighting(highlight),
  ];
}

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--raised)", color: "var(--text)", fontSize: "12px", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--page)", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--active)" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "6px", boxShadow: "var(--shadow)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--active)", color: "var(--text)" },
  ".cm-panels": { backgroundColor: "var(--page)", color: "var(--text)" },
});

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--special)" },
  { tag: [tags.propertyName], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number], color: "var(--number)" },
  { tag: [tags.bool, tags.null], color: "var(--special)" },
  { tag: [tags.comment], color: "var(--muted)" },
]);
