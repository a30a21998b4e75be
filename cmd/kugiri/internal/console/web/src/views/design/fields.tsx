// Fields of the forms of a design. What is typed is sent when the field is left, or by Enter.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";

interface Props {
  label: string;
  of: string; // what the field belongs to: a part of its name
  hideLabel?: boolean;
  value: string;
  onCommit: (value: string) => Promise<boolean>; // false: it was not done
}

const nameOf = (p: Pick<Props, "label" | "of">) => t("design.fieldOf", { field: p.label, of: p.of });

// useLatest returns what a field has, for what comes later than it is drawn.
function useLatest<T>(value: T) {
  const ref = useRef(value);
  ref.current = value;
  return ref;
}

export function Field({ list, mono, ...p }: Props & { list?: string[]; mono?: boolean }) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const sent = useRef<string | undefined>(undefined);
  const refused = useRef<string | undefined>(undefined);
  useEffect(() => {
    const was = sent.current;
    sent.current = undefined;
    setDraft((now) => (now === was ? undefined : now)); // what was typed since then stays
  }, [p.value]);
  const commit = async () => {
    if (draft === undefined || draft.trim() === p.value) return;
    sent.current = draft;
    refused.current = undefined;
    if (await p.onCommit(draft.trim())) return;
    refused.current = draft; // it stays, and is sent again by Enter
    setDraft((now) => now ?? draft);
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
        onBlur={() => draft !== sent.current && draft !== refused.current && void commit()}
        onKeyDown={(e) => e.key === "Enter" && !e.isComposing && void commit()}
      />
      {list && <datalist id={id + "-list"}>{list.map((one) => <option key={one} value={one} />)}</datalist>}
    </div>
  );
}

/** Pick takes one of some values. One that is none of them, which somebody has written, is there, too. */
export function Pick({ options, ...p }: Props & { options: string[] }) {
  const id = useId();
  const now = useLatest(p.value);
  return (
    <div class="field">
      {!p.hideLabel && <label for={id}>{p.label}</label>}
      <select id={id} aria-label={nameOf(p)} value={p.value} onChange={({ currentTarget: at }) => void p.onCommit(at.value).then((done) => done || (at.value = now.current))}>
        {[...new Set([...options, p.value])].map((one) => <option key={one} value={one}>{one || "–"}</option>)}
      </select>
    </div>
  );
}

export function Tick({ checked, onCommit, ...p }: Omit<Props, "value" | "onCommit"> & { checked: boolean; onCommit: (on: boolean) => Promise<boolean> }) {
  const now = useLatest(checked);
  return (
    <label class="check">
      <input type="checkbox" aria-label={nameOf(p)} checked={checked} onChange={({ currentTarget: at }) => void onCommit(at.checked).then((done) => done || (at.checked = now.current))} />
      {!p.hideLabel && <span>{p.label}</span>}
    </label>
  );
}

/** InText names what only the text shows. */
export const InText = ({ names }: { names: string[] }) => (names.length > 0 ? <p class="hint">{t("design.inText", { names: names.join(", ") })}</p> : null);
