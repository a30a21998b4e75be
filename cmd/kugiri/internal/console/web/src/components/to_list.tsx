// ToList goes from the fields of a key to the list that they read: it is seen once the Tab key comes to it.

import { t } from "../i18n";
import { Button } from "./controls";

export function toList(): boolean {
  const list = document.querySelector<HTMLElement>("#main .grid");
  list?.focus();
  return list !== null;
}

export const ToList = () => <span class="to-list"><Button onClick={toList}>{t("keys.toList")}</Button></span>;

/** Has the arrow down go from a field without proposals to the list. */
export function downToList(e: KeyboardEvent): void {
  if (e.key !== "ArrowDown" || e.altKey || !(e.target instanceof HTMLInputElement) || e.target.list) return;
  if (toList()) e.preventDefault();
}
