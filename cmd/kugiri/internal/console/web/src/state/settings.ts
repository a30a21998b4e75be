// What a person has chosen, kept by the browser.

import { effect, signal, type Signal } from "@preact/signals";

const prefix = "kugiri.";

/** A signal whose value the browser keeps. */
export function kept<T>(name: string, initial: T): Signal<T> {
  const s = signal<T>(readKept(name) ?? initial);
  effect(() => writeKept(name, s.value));
  return s;
}

export function readKept<T>(name: string): T | undefined {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined; // the browser keeps nothing, or something else
  }
}

export function writeKept(name: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // the browser keeps nothing: the choice lasts as long as the page
  }
}

export type Theme = "system" | "light" | "dark";
export const theme = kept<Theme>("theme", "system");

export type Language = "en" | "ja";
export const language = kept<Language>("language", navigator.language.startsWith("ja") ? "ja" : "en");

effect(() => {
  const root = document.documentElement;
  if (theme.value === "system") root.removeAttribute("data-theme");
  else root.dataset["theme"] = theme.value;
  root.lang = language.value;
});
