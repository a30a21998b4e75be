// Requests to the server of the page.

import { signal } from "@preact/signals";

const tokenItem = "kugiri.token";

/** Whether the server wants a token that the page does not have. */
export const tokenWanted = signal(false);

/** Takes the token of the address, #token=…, as the server prints it, out of it. */
export function takeToken(): void {
  const given = /^#token=(.+)$/.exec(location.hash);
  if (!given) return;
  setToken(given[1]!);
  location.replace(location.pathname + "#/");
}

export function setToken(token: string): void {
  sessionStorage.setItem(tokenItem, token);
  tokenWanted.value = false;
}

/** Whether the page has a token, right or wrong. */
export const hasToken = () => sessionStorage.getItem(tokenItem) !== null;

/** Sends a request to a path of the server, with the token if there is one. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = sessionStorage.getItem(tokenItem);
  if (token) headers.set("Authorization", "Bearer " + token);
  const answer = await fetch(path, { ...init, headers, credentials: "omit" });
  if (answer.status === 401) tokenWanted.value = true;
  return answer;
}
