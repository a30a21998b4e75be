// Ctrl Enter, or Cmd Enter, runs what a view shows, wherever the focus is. An editor sees to its own.

import { useLayoutEffect, useRef } from "preact/hooks";

/** run returns false if the key is for others. */
export function useRunKey(run: () => boolean | void): void {
  const last = useRef(run);
  last.current = run;
  useLayoutEffect(() => { // useEffect runs after the first picture, and misses keys until then
    const onKey = (e: KeyboardEvent) => {
      if (!(e.ctrlKey || e.metaKey) || e.key !== "Enter" || e.defaultPrevented) return;
      if (last.current() !== false) e.preventDefault(); // a button that has the focus is not pressed
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
