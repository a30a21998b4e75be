// CellEditor edits a value in the cell of a grid: a string, a number, a boolean or null.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { numberFault } from "../api/draft_faults";
import { open, type AttributeValue, type TypeName } from "../api/values";
import { t } from "../i18n";

interface Props {
  label: string;
  value: AttributeValue | undefined; // undefined: the item lacks the attribute
  type: TypeName; // for a new value
  onDone: (value: AttributeValue, now: boolean) => void; // now: with Ctrl Enter
  onCancel: () => void;
}

/** Whether a value can be edited in its cell. */
export const fitsCell = (value: AttributeValue | undefined) => !value || ["S", "N", "BOOL"].includes(open(value)[0]);

export function CellEditor({ label, value, type, onDone, onCancel }: Props) {
  const own = value ? open(value)[0] : type;
  const [text, setText] = useState(value ? String(open(value)[1]) : own === "BOOL" ? "true" : "");
  const [wrong, setWrong] = useState(false);
  const ref = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const ended = useRef(false); // an editor that goes away loses the focus, too
  useLayoutEffect(() => { // at once: the next key is for the editor
    ref.current?.focus();
    if (own !== "BOOL") ref.current?.select();
  }, []);
  const end = (how: () => void) => {
    if (ended.current) return;
    ended.current = true;
    how();
  };
  const done = (now = false) => {
    if (own === "N" && numberFault(text)) setWrong(true);
    else end(() => onDone(own === "BOOL" ? { BOOL: text === "true" } : own === "N" ? { N: text.trim() } : { S: text }, now));
  };
  const onKeyDown = (e: KeyboardEvent) => {
    e.stopPropagation();
    if (e.key !== "Enter" && e.key !== "Escape") return;
    e.preventDefault();
    const grid = ref.current?.closest<HTMLElement>(".grid");
    if (e.key === "Enter") done(e.ctrlKey || e.metaKey);
    else end(onCancel);
    if (ended.current) grid?.focus();
  };
  const onBlur = () => {
    if (own === "N" && numberFault(text)) end(onCancel);
    else done();
  };
  const common = { ref, class: "cell-editor mono", "aria-label": label, value: text, onKeyDown, onBlur };
  if (own === "BOOL") {
    return (
      <select {...common} onChange={(e) => setText(e.currentTarget.value)}>
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    );
  }
  return (
    <input
      {...common}
      type="text"
      spellcheck={false}
      autocomplete="off"
      aria-invalid={wrong ? true : undefined}
      title={wrong ? t("fault.number") : ""}
      onInput={(e) => {
        setText(e.currentTarget.value);
        setWrong(false);
      }}
    />
  );
}
