// Who calls, and whether they may write. The state of the page knows; it says so by callAs, so that
// the clients need no state.

export interface Caller {
  accessKey: string; // "" for that of the server's credentials
  region: string;
  writes: boolean; // allowed
  isFork: () => boolean; // whether the access key is that of a fork
}

let present = (): Caller => ({ accessKey: "", region: "", writes: false, isFork: () => false });

/** Gives the clients what tells who calls. They ask it for each request. */
export function callAs(who: () => Caller): void {
  present = who;
}

/** Who calls at present. */
export const caller = (): Caller => present();
