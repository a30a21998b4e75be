// A panel shows one row of a grid beside it.

import { useLayoutEffect, useRef } from "preact/hooks";

/** The element of a panel. When it closes with the focus in it, the grid gets the focus. */
export function usePanel() {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const panel = ref.current!;
    const grid = panel.parentElement?.querySelector<HTMLElement>(".grid");
    return () => {
      if (panel.contains(document.activeElement)) grid?.focus();
    };
  }, []);
  return ref;
}
