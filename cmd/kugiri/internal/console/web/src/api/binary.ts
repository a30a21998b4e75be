// Binary values: base64 on the wire, and hexadecimal or text for people.

export type BinaryForm = "base64" | "hex" | "text";

export function decode64(text: string): Uint8Array {
  const raw = atob(text);
  return Uint8Array.from(raw, (c) => c.charCodeAt(0));
}

export function encode64(bytes: Uint8Array): string {
  let raw = "";
  for (const b of bytes) raw += String.fromCharCode(b);
  return btoa(raw);
}

/** The bytes of a base64 text, written in a form. Bytes that are not UTF-8 have a mark in the text. */
export function show(base64: string, form: BinaryForm): string {
  if (form === "base64") return base64;
  const bytes = decode64(base64);
  if (form === "text") return new TextDecoder().decode(bytes);
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join(" ");
}

/** The base64 text of what show wrote. It throws an error if that is not in the form. */
export function parse(text: string, form: BinaryForm): string {
  if (form === "text") return encode64(new TextEncoder().encode(text));
  if (form === "base64") return encode64(decode64(text));
  const digits = text.replace(/\s+/g, "");
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw new Error(`not hexadecimal: ${text}`);
  return encode64(Uint8Array.from(digits.match(/../g) ?? [], (two) => parseInt(two, 16)));
}

/** How many bytes a base64 text stands for. */
export function sizeOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4) - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);
}
