// Texts and numbers as people can tell them apart: characters that would not be seen, or would turn
// what follows around, have signs.

// Control characters, and those that change the direction of texts or have no width. Joiners stay, of
// which emojis and some scripts are made.
const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const unseenInLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A text with signs for what would not be seen: ␀ for a null, ‹U+202E› for an override. */
export const visible = (text: string) => text.replace(unseen, sign);

/** A text of several lines, whose line feeds and tabs stay. */
export const visibleLines = (text: string) => text.replace(unseenInLines, sign);

function sign(c: string): string {
  const code = c.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}

const enough = 10; // zeros in a row, which nobody counts

/** The exponent form of the digits of a number with many zeros, "" for others: 9.99E+125. */
export function exponentForm(digits: string): string {
  const parts = /^(-?)0*(\d*)\.?(\d*)$/.exec(digits);
  if (!parts) return "";
  const [, minus, whole, fraction] = parts as unknown as [string, string, string, string];
  const all = whole + fraction;
  const significant = all.replace(/^0+/, "").replace(/0+$/, "");
  const leading = all.length - all.replace(/^0+/, "").length;
  const zeros = Math.max(whole === "" ? leading : 0, fraction === "" ? whole.length - significant.length : 0);
  if (significant === "" || zeros < enough) return "";
  const exponent = whole.length - leading - 1;
  const rest = significant.slice(1);
  return `${minus}${significant[0]}${rest && "." + rest}E${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}
