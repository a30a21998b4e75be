// A panel shows one row of a grid beside it.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { kept } from "../state/settings";

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
  const width = (wide ? wideWidth : usualWidth).value;
  return (
    <aside ref={ref} class={wide ? "panel wide" : "panel"} aria-label={label} style={width > 0 ? { width: `${width}px` } : {}}>
      <Edge panel={ref} width={wide ? wideWidth : usualWidth} />
      {children}
    </aside>
  );
}

// How wide panels are, 0 for as wide as is usual.
const usualWidth = kept("panel", 0);
const wideWidth = kept("panel.wide", 0);
const minWidth = 260;

// Edge changes the width of a panel, by the pointer or by the arrow keys.
function Edge({ panel, width }: { panel: { current: HTMLElement | null }; width: typeof usualWidth }) {
  const now = () => panel.current?.offsetWidth ?? minWidth;
  const set = (to: number) => {
    const room = (panel.current?.parentElement?.offsetWidth ?? Infinity) - minWidth;
    width.value = Math.round(Math.max(minWidth, Math.min(to, room)));
  };
  const drag = (down: PointerEvent) => {
    const edge = down.currentTarget as HTMLElement;
    const from = now();
    edge.setPointerCapture(down.pointerId);
    const move = (e: PointerEvent) => set(from + down.clientX - e.clientX);
    edge.addEventListener("pointermove", move);
    edge.addEventListener("lostpointercapture", () => edge.removeEventListener("pointermove", move), { once: true });
  };
  return (
    <span
      class="edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={t("panel.width")}
      aria-valuenow={width.value || 440}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={(e) => {
        if (e.key === "ArrowLeft") set(now() + 16);
        if (e.key === "ArrowRight") set(now() - 16);
      }}
    />
  );
}

// isOfOther reports whether a key is for a dialog or a cell that is edited.
const isOfOther = (target: EventTarget | null) => target instanceof Element && target.closest("dialog, .grid :is(input, textarea, select)") !== null;
