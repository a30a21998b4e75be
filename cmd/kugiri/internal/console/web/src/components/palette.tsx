// The palette goes to any table or view: Ctrl K, or Cmd K, opens it.

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { available, serverViews, viewsOf } from "../registry";
import { focusView } from "../state/focus";
import { navigate, route } from "../state/route";
import { tableInfos, tableNames } from "../state/tables";
import { Icon, type IconName } from "./icon";

const opened = signal(false);

export function openPalette(): void {
  opened.value = true;
}

addEventListener("keydown", (e) => {
  if ((e.ctrlKey || e.metaKey) && !e.altKey && e.key.toLowerCase() === "k") {
    e.preventDefault();
    opened.value = !opened.value;
  }
});

interface Target {
  text: string;
  icon: IconName;
  path: string[];
}

export function Palette() {
  return opened.value ? <Opened /> : null;
}

const maxShown = 50;

function Opened() {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => ref.current?.showModal(), []);
  const close = () => ref.current?.close(); // the focus is then where it was
  const found = targets().filter((one) => one.text.toLowerCase().includes(text.toLowerCase())).slice(0, maxShown);
  const go = (to: Target | undefined) => {
    if (!to) return;
    close();
    focusView();
    navigate(to.path);
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "ArrowDown") setAt(Math.min(found.length - 1, at + 1));
    else if (e.key === "ArrowUp") setAt(Math.max(0, at - 1));
    else if (e.key === "Enter") go(found[at]);
    else return;
    e.preventDefault();
  };
  return (
    <dialog ref={ref} class="palette" aria-label={t("palette.open")} onClose={() => (opened.value = false)} onClick={(e) => e.target === ref.current && close()}>
      <input
        type="text"
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={found[at] ? `palette-${at}` : undefined}
        aria-label={t("palette.open")}
        placeholder={t("palette.hint")}
        autofocus
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(e) => {
          setText(e.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-list" role="listbox" aria-label={t("palette.open")}>
        {found.map((one, i) => (
          <li key={one.path.join("/")} id={`palette-${i}`} role="option" aria-selected={i === at} onClick={() => go(one)}>
            <Icon name={one.icon} />
            <span>{one.text}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

// targets lists the views of the table that is shown, those of the server, and the tables.
function targets(): Target[] {
  const [id, name] = route.value.path;
  const ofTable = id === "tables" && name ? viewsOf(tableInfos.value.get(name)?.table) : [];
  return [
    ...ofTable.map((v) => ({ text: `${name}: ${t(v.title)}`, icon: v.icon, path: ["tables", name!, v.id] })),
    ...serverViews.filter(available).map((v) => ({ text: t(v.title), icon: v.icon, path: [v.id] })),
    ...tableNames.value.map((n) => ({ text: n, icon: "table" as const, path: ["tables", n] })),
  ];
}
