// A panel shows one row of a grid beside it.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Props {
  label: string;
  wide?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/** Escape closes a panel, from the grid as well. If the panel has the focus then, the grid gets it. */
export function Panel({ label, wide, onClose, children }: Props) {
  const ref = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const panel = ref.current!;
    const both = panel.parentElement!;
    const onKey = (e: KeyboardEvent) => e.key === "Escape" && !isOfOther(e.target) && close.current();
    both.addEventListener("keydown", onKey);
    return () => {
      both.removeEventListener("keydown", onKey);
      if (panel.contains(document.activeElement)) both.querySelector<HTMLElement>(".grid")?.focus();
    };
  }, []);
  return <aside ref={ref} class={wide ? "panel wide" : "panel"} aria-label={label}>{children}</aside>;
}

// isOfOther reports whether a key is for a dialog or a cell that is edited.
const isOfOther = (target: EventTarget | null) => target instanceof Element && target.closest("dialog, .grid :is(input, textarea, select)") !== null;
