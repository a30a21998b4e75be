// Ctrl Enter, or Cmd Enter, runs what a view shows, wherever the focus is. An editor sees to its own.

import { useEffect, useRef } from "preact/hooks";

export function useRunKey(run: () => void): void {
  const last = useRef(run);
  last.current = run;
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (!(e.ctrlKey || e.metaKey) || e.key !== "Enter" || e.defaultPrevented) return;
      e.preventDefault(); // a button that has the focus is not pressed
      last.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
