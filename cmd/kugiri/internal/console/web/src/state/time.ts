// Moments as the page shows them: all in UTC, as the service, its logs and held clocks have them.

/** A moment in ISO 8601 as people read it, in UTC, to the second. */
export function instant(time: string): string {
  return new Date(time).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

