// DraftRows edits attributes or members: a row each with its name, its type and its value.

import { useState } from "preact/hooks";
import { newMember, reform, retype, typeNames, type Draft } from "../api/draft";
import type { Fault } from "../api/draft_faults";
import type { TypeName } from "../api/values";
import { visibleLines } from "../api/visible";
import { t } from "../i18n";
import { Button, Choice } from "./controls";
import { useNewRow } from "./new_row";

interface RowsProps {
  drafts: Draft[];
  named: boolean; // attributes and members of maps have names, those of lists and sets have none
  depth: number;
  faults: Map<number, Fault>;
  within?: string; // the name of what the members belong to
  isKey?: (draft: Draft) => boolean;
  lockKeys?: boolean; // keys cannot be changed
  fixedType?: boolean; // of members of sets
  onChange: () => void;
  onRemove: (draft: Draft) => void;
  onAdd: () => void;
}

const someRows = 100;

export function DraftRows(p: RowsProps) {
  const [shown, setShown] = useState(someRows);
  const added = useNewRow(p.drafts.length);
  return (
    <>
      {p.drafts.slice(0, shown).map((draft, at) => <Row key={draft.id} draft={draft} at={at} of={p} />)}
      {p.drafts.length > shown && <Button kind="quiet" onClick={() => setShown(shown * 10)}>{t("value.more", { count: p.drafts.length - shown })}</Button>}
      <Button
        icon="plus"
        kind="quiet"
        onClick={(e) => {
          added(e);
          setShown(Math.max(shown, p.drafts.length + 1));
          p.onAdd();
        }}
      >
        {t(p.depth === 0 ? "edit.addAttribute" : p.named ? "edit.addNamed" : "edit.addMember", { name: p.within ?? "" })}
      </Button>
    </>
  );
}

const hasMembers = (type: TypeName) => type === "M" || type === "L" || type.length === 2;

function Row({ draft, at, of: p }: { draft: Draft; at: number; of: RowsProps }) {
  const isKey = p.isKey?.(draft) ?? false;
  const locked = isKey && (p.lockKeys ?? false);
  const name = draft.name || (p.named ? t("edit.unnamed", { number: at + 1 }) : `${p.within ?? ""}[${at}]`);
  const fault = p.faults.get(draft.id);
  const set = (change: Partial<Draft>) => {
    Object.assign(draft, change);
    p.onChange();
  };
  return (
    <div class={`draft ${isKey ? "key" : ""}`} role="group" aria-label={name}>
      <div class="draft-head">
        {p.named ? (
          <input
            class="mono"
            aria-label={t("edit.name", { number: at + 1 })}
            value={draft.name}
            placeholder={t("edit.namePlaceholder")}
            disabled={isKey}
            spellcheck={false}
            autocomplete="off"
            data-first={!isKey && draft.name === "" ? true : undefined}
            onInput={(e) => set({ name: e.currentTarget.value })}
          />
        ) : (
          <span class="mono muted">{at}</span>
        )}
        {!p.fixedType && (
          <select
            aria-label={t("edit.type", { name })}
            title={t(`type.${draft.type}`)}
            value={draft.type}
            disabled={isKey}
            onChange={(e) => {
              retype(draft, e.currentTarget.value as TypeName);
              p.onChange();
            }}
          >
            {typeNames.map((type) => <option key={type} value={type}>{type} · {t(`type.${type}`)}</option>)}
          </select>
        )}
        {!hasMembers(draft.type) && <Scalar draft={draft} name={name} locked={locked} invalid={fault !== undefined} onChange={p.onChange} />}
        {!isKey && <Button icon="close" kind="quiet" label={t("edit.remove", { name })} onClick={() => p.onRemove(draft)} />}
      </div>
      {fault && <p class="hint error" role="alert">{t(`fault.${fault}`)}</p>}
      {hasMembers(draft.type) && <Members draft={draft} name={name} of={p} />}
    </div>
  );
}

const openDepth = 2;

function Members({ draft, name, of: p }: { draft: Draft; name: string; of: RowsProps }) {
  const [isOpen, setOpen] = useState(p.depth < openDepth);
  const isSet = draft.type.length === 2;
  return (
    <details open={isOpen} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary class="muted">{t("value.members", { count: draft.members.length })}</summary>
      {isOpen && (
        <div class="draft-members">
          <DraftRows
            drafts={draft.members}
            named={draft.type === "M"}
            fixedType={isSet}
            depth={p.depth + 1}
            faults={p.faults}
            within={name}
            onChange={p.onChange}
            onRemove={(one) => {
              draft.members = draft.members.filter((other) => other !== one);
              p.onChange();
            }}
            onAdd={() => {
              draft.members = [...draft.members, newMember(draft)];
              p.onChange();
            }}
          />
        </div>
      )}
    </details>
  );
}

interface ScalarProps {
  draft: Draft;
  name: string;
  locked: boolean;
  invalid: boolean;
  onChange: () => void;
}

function Scalar({ draft, name, locked, invalid, onChange }: ScalarProps) {
  const set = (text: string) => {
    draft.text = text;
    onChange();
  };
  const label = t("edit.value", { name });
  switch (draft.type) {
    case "NULL":
      return <span class="mono t-NULL">null</span>;
    case "BOOL":
      return (
        <select aria-label={label} value={draft.text} onChange={(e) => set(e.currentTarget.value)}>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      );
    default:
      return (
        <>
          <textarea
            class={`mono t-${draft.type}`}
            rows={1}
            aria-label={label}
            aria-invalid={invalid ? true : undefined}
            value={draft.text}
            disabled={locked}
            spellcheck={false}
            data-first={!locked && draft.name !== "" ? true : undefined}
            onInput={(e) => set(e.currentTarget.value)}
          />
          {draft.type !== "B" && visibleLines(draft.text) !== draft.text && <p class="hint mono unseen-signs" aria-label={t("edit.signs", { name })}>{visibleLines(draft.text.slice(0, 500))}</p>}
          {draft.type === "B" && <BinaryForms draft={draft} locked={locked} onChange={onChange} />}
        </>
      );
  }
}

function BinaryForms({ draft, locked, onChange }: { draft: Draft; locked: boolean; onChange: () => void }) {
  if (locked) return null;
  return (
    <Choice
      label={t("value.form")}
      value={draft.form}
      options={(["base64", "hex", "text"] as const).map((one) => ({ value: one, text: t(`value.${one}`) }))}
      onChange={(form) => {
        reform(draft, form);
        onChange();
      }}
    />
  );
}
