// Attribute values, on a line and as a tree.

import { useState } from "preact/hooks";
import { show, sizeOf, type BinaryForm } from "../api/binary";
import { attribute, brief, open, type AttributeValue, type Item } from "../api/values";
import { exponentForm, visible, visibleLines } from "../api/visible";
import { epochOf } from "../api/epoch";
import { bytes, moment, t } from "../i18n";
import { kept } from "../state/settings";
import { Button, Choice } from "./controls";

/** A value on one line, as a cell of a grid shows it: dated, with the moment that a number stands for. */
export function ValueCell({ value, dated }: { value: AttributeValue | undefined; dated?: boolean }) {
  if (!value) return null;
  const [type, content] = open(value);
  const text = type === "B" ? `${bytes(sizeOf(content as string))}  ${brief(value, 60)}` : brief(value);
  const short = type === "N" ? exponentForm(content as string) : "";
  const at = type === "N" ? epochOf(content as string) : undefined;
  const date = at === undefined ? "" : moment(at);
  return (
    <span class={`value t-${type}`} title={date ? `${text} · ${date}` : text}>
      {text === "" ? <Nothing type={type} /> : short || text}
      {dated && date && <span class="muted"> {date}</span>}
    </span>
  );
}

// Nothing stands for an empty text, which would not be seen.
function Nothing({ type }: { type: string }) {
  return <span class="muted">{type === "B" ? "0 B" : '""'}</span>;
}

/** The attributes of an item, keys first, each with its type. */
export function ItemTree({ item, keys }: { item: Item; keys: string[] }) {
  const names = [...keys.filter((k) => attribute(item, k)), ...Object.keys(item).filter((n) => !keys.includes(n)).sort()];
  return (
    <div class="tree">
      {names.map((name) => (
        <Member key={name} name={name} value={item[name]!} isKey={keys.includes(name)} depth={0} />
      ))}
    </div>
  );
}

const openDepth = 2; // values that are deeper are shown on demand

function Member({ name, value, depth, isKey }: { name: string; value: AttributeValue; depth: number; isKey?: boolean }) {
  const [type, content] = open(value);
  if (type !== "M" && type !== "L") {
    return (
      <div class="member">
        <Name name={name} type={type} isKey={isKey} />
        <Leaf type={type} content={content} />
      </div>
    );
  }
  const members = Object.entries(content as Item | AttributeValue[]);
  return <Nested name={name} type={type} members={members} depth={depth} />;
}

const someMembers = 100;

// Nested draws its members only while it is open, so that a large value costs nothing when closed.
function Nested({ name, type, members, depth }: { name: string; type: string; members: [string, AttributeValue][]; depth: number }) {
  const [isOpen, setOpen] = useState(depth < openDepth);
  const [shown, setShown] = useState(someMembers);
  return (
    <details class="member" open={isOpen} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        <Name name={name} type={type} />
        <span class="muted">{t("value.members", { count: members.length })}</span>
      </summary>
      {isOpen && (
        <div class="members">
          {members.slice(0, shown).map(([one, value]) => (
            <Member key={one} name={one} value={value} depth={depth + 1} />
          ))}
          {members.length > shown && <Button kind="quiet" onClick={() => setShown(shown * 10)}>{t("value.more", { count: members.length - shown })}</Button>}
        </div>
      )}
    </details>
  );
}

function Name({ name, type, isKey }: { name: string; type: string; isKey?: boolean | undefined }) {
  return (
    <span class={isKey ? "name key" : "name"}>
      <span class="type" title={t(`type.${type}` as "type.S")}>{type}</span>
      {visible(name)}
    </span>
  );
}

function Leaf({ type, content }: { type: string; content: unknown }) {
  if (type === "B") return <Binary base64={content as string} />;
  if (type === "BS") return <div class="set">{(content as string[]).map((one) => <Binary key={one} base64={one} />)}</div>;
  if (type === "SS" || type === "NS") {
    return (
      <ul class="set">
        {(content as string[]).map((one) => (
          <li key={one} class={`value t-${type[0]}`}>{type === "NS" ? <Numeral digits={one} /> : visible(one)}</li>
        ))}
      </ul>
    );
  }
  if (type === "N") return <span class="value t-N"><Numeral digits={content as string} /></span>;
  return <Long text={type === "NULL" ? "null" : String(content)} class={`value t-${type}`} />;
}

// Numeral shows the digits of a number, and its exponent form if nobody would count its zeros.
function Numeral({ digits }: { digits: string }) {
  const short = exponentForm(digits);
  const at = epochOf(digits);
  return <>{short && <strong>{short}</strong>} {short ? <span class="muted">{digits}</span> : digits}{at !== undefined && <span class="muted"> {moment(at)}</span>}</>;
}

const someText = 2000;

// Long shows the beginning of a long text, and all of it on demand.
function Long({ text, class: name }: { text: string; class: string }) {
  const [all, setAll] = useState(false);
  if (text === "") return <Nothing type="S" />;
  if (all || text.length <= someText) return <span class={name}>{visibleLines(text)}</span>;
  return (
    <span class={name}>
      {visibleLines(text.slice(0, someText))}…
      <Button kind="quiet" onClick={() => setAll(true)}>{t("value.all", { size: bytes(text.length) })}</Button>
    </span>
  );
}

const binaryForm = kept<BinaryForm>("binary", "base64");

function Binary({ base64 }: { base64: string }) {
  return (
    <div class="binary">
      <Choice
        label={t("value.form")}
        value={binaryForm.value}
        options={(["base64", "hex", "text"] as const).map((one) => ({ value: one, text: t(`value.${one}`) }))}
        onChange={(form) => (binaryForm.value = form)}
      />
      <span class="muted">{bytes(sizeOf(base64))}</span>
      <Long text={show(base64, binaryForm.value)} class="value t-B" />
    </div>
  );
}
