// Numbers that are moments: seconds or milliseconds since 1970, between 2001 and 2100.

const [first, last] = [1_000_000_000, 4_102_444_800];

/** The moment that a number can stand for, in seconds since 1970, or undefined. */
export function epochOf(digits: string): number | undefined {
  if (!/^\d{10}(\d{3})?(\.\d+)?$/.test(digits)) return undefined;
  const whole = digits.split(".")[0]!;
  const seconds = Number(digits) / (whole.length === 13 ? 1000 : 1);
  return seconds >= first && seconds < last ? seconds : undefined;
}
