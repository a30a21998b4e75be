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

/** Enters a token. Requests that were refused without it are sent again. */
export function setToken(token: string): void {
  sessionStorage.setItem(tokenItem, token);
  tokenWanted.value = false;
  others.postMessage({ token }); // they may want it, too
  for (const again of refused.splice(0)) again();
}

const refused: (() => void)[] = []; // what waits for another token

// A tab that was opened from another one has no token, or an older one: it asks the others of this origin.
const others = new BroadcastChannel("kugiri.token");
others.onmessage = (e: MessageEvent<{ token?: string }>) => {
  const own = sessionStorage.getItem(tokenItem);
  if (e.data.token === own) return; // it was refused here
  if (e.data.token === undefined) own && !tokenWanted.peek() && others.postMessage({ token: own });
  else if (own === null || refused.length > 0) setToken(e.data.token);
};

const patience = 300; // milliseconds, for other tabs

// anotherToken waits until there is another token than one that was refused: from another tab, or entered.
async function anotherToken(old: string | null, signal: AbortSignal | null | undefined): Promise<void> {
  if (sessionStorage.getItem(tokenItem) !== old) return;
  const entered = new Promise<void>((done) => refused.push(done));
  if (!tokenWanted.peek()) {
    others.postMessage({});
    await Promise.race([entered, new Promise((done) => setTimeout(done, patience))]);
    if (sessionStorage.getItem(tokenItem) !== old) return;
  }
  tokenWanted.value = true;
  const ends = new Promise<void>((done) => signal?.addEventListener("abort", () => done(), { once: true }));
  await Promise.race([entered, ends]);
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
 * that only reads is sent again when it is back. Of another one nobody knows what became of it. A request that
 * the server refuses for want of a token is sent again with the next one.
 */
export async function send(path: string, init: RequestInit = {}, reads = (init.method ?? "GET") === "GET"): Promise<Response> {
  const headers = new Headers(init.headers);
  for (;;) {
    const token = sessionStorage.getItem(tokenItem);
    if (token) headers.set("Authorization", "Bearer " + token);
    try {
      const answer = await fetch(path, { ...init, headers, credentials: "omit" });
      if (answer.status !== 401) return answer;
    } catch (error) {
      if (init.signal?.aborted) throw error;
      const again = untilBack();
      if (!reads) throw new Error(t("connection.unsure"));
      await again;
      init.signal?.throwIfAborted();
      continue;
    }
    await anotherToken(token, init.signal);
    init.signal?.throwIfAborted();
  }
}
