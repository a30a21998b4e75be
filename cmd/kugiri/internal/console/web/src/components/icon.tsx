// Icons, drawn on a grid of 16 by 16 in lines.

const paths = {
  table: "M2 3.500h12v9H2zM2 6.500h12M6.500 6.500v6",
  items: "M2.500 4h11M2.500 8h11M2.500 12h11",
  info: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7v4M8 4.800v.200",
  query: "M7 2.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9zM10.300 10.300 14 14",
  stream: "M2 5c2-2 4 2 6 0s4 2 6 0M2 9c2-2 4 2 6 0s4 2 6 0M2 13c2-2 4 2 6 0s4 2 6 0",
  fork: "M4 2v12M4 9c0-3 8-2 8-6M12 3v0M2.500 2h3M2.500 14h3M10.500 2h3",
  traffic: "M2 13V9M6 13V5M10 13V7M14 13V3",
  budget: "M2.500 12a5.500 5.500 0 1 1 11 0M8 12l3-4",
  transfer: "M8 2v8M5 7l3 3 3-3M2.500 13.500h11",
  upload: "M8 10V2M5 5l3-3 3 3M2.500 13.500h11",
  edit: "M3 13l.600-3L11 2.600 13.400 5 6 12.400z",
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  refresh: "M13 8a5 5 0 1 1-1.600-3.700M13 2v3h-3",
  copy: "M5.500 5.500h8v8h-8zM2.500 10.500v-8h8",
  trash: "M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.500 9h6l.500-9M7 7v4M9 7v4",
  erase: "M6 13.500h7.500M2.500 9.500l6-6.500 5 4.500-5 6h-2.500z",
  columns: "M2.500 3h11v10h-11zM6.200 3v10M9.800 3v10",
  play: "M5 3l8 5-8 5z",
  pause: "M5.500 3v10M10.500 3v10",
  end: "M8 2.500v8M4.500 7 8 10.500 11.500 7M3 13.500h10",
  fault: "M9 1.500 3.500 9H8l-1 5.500L12.500 7H8z",
  swap: "M2.500 5.500h10M10 3l2.500 2.500L10 8M13.500 10.500h-10M6 8l-2.500 2.500L6 13",
  undo: "M3 6.500h6.500a3.500 3.500 0 0 1 0 7H6M5.500 4 3 6.500 5.500 9",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  filter: "M2.500 3h11L9.300 8.200v4.300l-2.600 1.200V8.200z",
  left: "M10 4l-4 4 4 4",
  check: "M3 8.500l3.500 3.500L13 4.500",
  warning: "M8 2.500l6 11H2zM8 6.500v3.500M8 11.800v.200",
  lock: "M4 7h8v6.500H4zM5.500 7V5a2.500 2.500 0 0 1 5 0v2",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.400 1.400M11.600 11.600 13 13M3 13l1.400-1.400M11.600 4.400 13 3",
  moon: "M13 9.500A5.500 5.500 0 0 1 6.500 3 5.500 5.500 0 1 0 13 9.500z",
  system: "M2 3h12v8H2zM6 14h4M8 11v3",
  clock: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.500V8l2.500 1.500",
  link: "M6.500 9.500l3-3M7 4.500l1.500-1.500a3 3 0 0 1 4.500 4.500L11.500 9M9 11.500 7.500 13A3 3 0 0 1 3 8.500L4.500 7",
  group: "M2.500 3.500h5M5 7h8M5 10.500h8M2.500 3.500V13",
  more: "M3.500 8h.010M8 8h.010M12.500 8h.010",
  key: "M5 5.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zM7.500 8H14v2.500M11.500 8v2",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark of Kugiri: the character that separates. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M13 7.500 11 24.500M21 7.500 19 24.500M7.500 12.500h18M6.500 19.500h18" />
    </svg>
  );
}
