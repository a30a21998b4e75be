// Fields of the forms of a design. What is typed is sent when the field is left, or by Enter.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";

interface Props {
  label: string;
  of: string; // what the field belongs to: a part of its name
  hideLabel?: boolean;
  value: string;
  onCommit: (value: string) => void;
}

const nameOf = (p: Props) => t("design.fieldOf", { field: p.label, of: p.of });

export function Field({ list, mono, ...p }: Props & { list?: string[]; mono?: boolean }) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const sent = useRef<string | undefined>(undefined);
  useEffect(() => {
    const was = sent.current;
    sent.current = undefined;
    setDraft((now) => (now === was ? undefined : now)); // what was typed since then stays
  }, [p.value]);
  const commit = () => {
    if (draft === undefined || draft.trim() === p.value) return;
    sent.current = draft;
    p.onCommit(draft.trim());
  };
  return (
    <div class="field">
      {!p.hideLabel && <label for={id}>{p.label}</label>}
      <input
        id={id}
        type="text"
        class={mono ? "mono" : ""}
        aria-label={nameOf(p)}
        value={draft ?? p.value}
        autocomplete="off"
        spellcheck={false}
        list={list && id + "-list"}
        onInput={(e) => setDraft(e.currentTarget.value)}
        onBlur={() => draft !== sent.current && commit()}
        onKeyDown={(e) => e.key === "Enter" && !e.isComposing && commit()}
      />
      {list && <datalist id={id + "-list"}>{list.map((one) => <option key={one} value={one} />)}</datalist>}
    </div>
  );
}

/** Pick takes one of some values. One that is none of them, which somebody has written, is there, too. */
export function Pick({ options, ...p }: Props & { options: string[] }) {
  const id = useId();
  return (
    <div class="field">
      {!p.hideLabel && <label for={id}>{p.label}</label>}
      <select id={id} aria-label={nameOf(p)} value={p.value} onChange={(e) => p.onCommit(e.currentTarget.value)}>
        {[...new Set([...options, p.value])].map((one) => <option key={one} value={one}>{one || "–"}</option>)}
      </select>
    </div>
  );
}

export function Tick({ checked, onCommit, ...p }: Omit<Props, "value" | "onCommit"> & { checked: boolean; onCommit: (on: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" aria-label={nameOf({ ...p, value: "", onCommit: () => {} })} checked={checked} onChange={(e) => onCommit(e.currentTarget.checked)} />
      {!p.hideLabel && <span>{p.label}</span>}
    </label>
  );
}

/** InText names what only the text shows. */
export const InText = ({ names }: { names: string[] }) => (names.length > 0 ? <p class="hint">{t("design.inText", { names: names.join(", ") })}</p> : null);
