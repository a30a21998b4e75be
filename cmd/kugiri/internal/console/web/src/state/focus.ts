// The focus is never lost: if the element that has it goes away, one near it gets it.

let trail: Element[] = []; // the element that had the focus last, and what it was in

/** Watches the elements of the page. */
export function keepFocus(root: Element): void {
  root.addEventListener("focusin", (e) => (trail = ancestors(e.target as Element)));
  new MutationObserver(() => {
    if (document.activeElement !== document.body || !trail[0] || trail[0].isConnected) return;
    trail.find((one) => one.isConnected && take(one));
  }).observe(root, { childList: true, subtree: true });
}

function ancestors(of: Element): Element[] {
  const list: Element[] = [];
  for (let e: Element | null = of; e; e = e.parentElement) list.push(e);
  return list;
}

const focusable = ".grid, a[href], button:enabled, input:enabled, select:enabled, textarea:enabled";

// take gives the focus to something in an element, and reports whether it could. Of a page that is the
// view: its first link leads away from it.
function take(place: Element): boolean {
  if (place.matches("main, .page") || place.querySelector("#main")) focusView();
  else place.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true });
  return document.activeElement !== document.body;
}

/** Gives the focus to the view. A list that appears in it then takes the focus. */
export function focusView(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** Whether the focus is at the view, and at nothing in it. */
export const isFocusFree = () => document.activeElement?.id === "main";
