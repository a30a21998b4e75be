// Requests to the server of the page.

import { signal } from "@preact/signals";
import { t } from "../i18n";

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

/** Whether the server does not answer. The page asks it again and again, and less and less often. */
export const away = signal(false);

/** How often the server has answered again after it did not. */
export const returns = signal(0);

const firstWait = 250; // milliseconds
const longestWait = 10_000;

let tryNow = () => {};
let back: Promise<void> | undefined;

/** Asks a server that is away at once. */
export const askNow = () => tryNow();

addEventListener("online", () => tryNow());

// untilBack waits until the server answers.
function untilBack(): Promise<void> {
  back ??= (async () => {
    away.value = true;
    for (let wait = firstWait; ; wait = Math.min(longestWait, 2 * wait)) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, wait);
        tryNow = () => {
          clearTimeout(timer);
          done();
        };
      });
      try {
        await fetch("session", { credentials: "omit", cache: "no-store" });
        break;
      } catch {
        // it is still away
      }
    }
    back = undefined;
    away.value = false;
    returns.value++;
  })();
  return back;
}

/**
 * Sends a request to a path of the server, with the token if there is one. If the server is away, one
 * that only reads is sent again when it is back. Of another one nobody knows what became of it.
 */
export async function send(path: string, init: RequestInit = {}, reads = (init.method ?? "GET") === "GET"): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = sessionStorage.getItem(tokenItem);
  if (token) headers.set("Authorization", "Bearer " + token);
  for (;;) {
    try {
      const answer = await fetch(path, { ...init, headers, credentials: "omit" });
      // another token may have been entered meanwhile
      if (answer.status === 401 && token === sessionStorage.getItem(tokenItem)) tokenWanted.value = true;
      return answer;
    } catch (error) {
      if (init.signal?.aborted) throw error;
      const again = untilBack();
      if (!reads) throw new Error(t("connection.unsure"));
      await again;
    }
    init.signal?.throwIfAborted();
  }
}
