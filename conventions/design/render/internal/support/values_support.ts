/** Returns values with each of them once. */
export const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];
