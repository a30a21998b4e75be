// A menu at a place of the page, as the secondary button of a mouse opens it.

import { useLayoutEffect, useRef } from "preact/hooks";

export interface MenuItem {
  text: string;
  disabled?: boolean;
  run: () => void;
}

interface Props {
  label: string;
  at: { x: number; y: number };
  items: MenuItem[];
  onClose: () => void;
}

export function Menu({ label, at, items, onClose }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const menu = ref.current!;
    const before = document.activeElement;
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(0, Math.min(at.x, innerWidth - width - 4))}px`;
    menu.style.top = `${Math.max(0, Math.min(at.y, innerHeight - height - 4))}px`;
    menu.querySelector<HTMLElement>("button:enabled")?.focus();
    const outside = (e: Event) => menu.contains(e.target as Node) || close.current();
    addEventListener("pointerdown", outside, true);
    addEventListener("resize", outside);
    return () => {
      removeEventListener("pointerdown", outside, true);
      removeEventListener("resize", outside);
      if (menu.contains(document.activeElement) && before instanceof HTMLElement) before.focus();
    };
  }, []);
  const onKeyDown = (e: KeyboardEvent) => {
    e.stopPropagation();
    const buttons = [...ref.current!.querySelectorAll<HTMLElement>("button:enabled")];
    const here = buttons.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[e.key];
    if (to !== undefined) buttons.at(to % buttons.length)?.focus();
    else if (e.key === "Escape" || e.key === "Tab") onClose();
    else return;
    e.preventDefault();
  };
  return (
    <div ref={ref} class="menu-list" role="menu" aria-label={label} onKeyDown={onKeyDown} onContextMenu={(e) => e.preventDefault()}>
      {items.map((one) => (
        <button
          key={one.text}
          type="button"
          role="menuitem"
          disabled={one.disabled}
          onClick={() => {
            onClose();
            one.run();
          }}
        >
          {one.text}
        </button>
      ))}
    </div>
  );
}
