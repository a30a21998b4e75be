// A button that adds a row gives the focus to it: one types into the new row at once.

import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Returns what a button that adds a row before itself calls with its event. Once there are more rows,
 * the first field of the one before the button has the focus.
 */
export function useNewRow(rows: number): (event: { currentTarget: EventTarget | null }) => void {
  const button = useRef<Element | undefined>(undefined);
  useLayoutEffect(() => {
    button.current?.previousElementSibling?.querySelector<HTMLElement>("input, textarea, select")?.focus();
    button.current = undefined;
  }, [rows]);
  return (event) => (button.current = event.currentTarget as Element);
}
