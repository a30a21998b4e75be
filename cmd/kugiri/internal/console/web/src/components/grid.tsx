// Grid shows rows of a table, of any number: only those in sight are in the page.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { visible } from "../api/visible";
import { t } from "../i18n";
import { isFocusFree } from "../state/focus";

export interface Column<Row> {
  id: string;
  title: string;
  hint?: ComponentChildren; // after the title
  width: number; // pixels
  end?: boolean; // aligned at the end, as numbers are
  grows?: boolean; // takes the room that is left
  cell: (row: Row) => ComponentChildren;
}

interface GridProps<Row> {
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  rowKey: (row: Row, at: number) => string;
  rowClass?: (row: Row, at: number) => string;
  whole?: (row: Row) => ComponentChildren; // what a row shows in place of cells, undefined for cells
  total?: number; // how many rows there are, if more than these; -1: nobody knows
  active: number; // the row that the keyboard is at, -1 for none
  onActive: (at: number) => void;
  onOpen?: (row: Row, at: number) => void;
  onSeen?: (rows: Row[]) => void; // those that are in sight
  onEnd?: () => void; // the end is in sight
  onResize?: (column: string, width: number) => void;
  cell?: string; // the column that the keyboard is at, if cells can be reached
  onCell?: (column: string) => void;
  editing?: { row: number; column: string; editor: ComponentChildren }; // what a cell shows while it is edited
  onEdit?: (row: Row, at: number, column: string) => void; // F2, or a double click
  onDelete?: (row: Row, at: number, now: boolean) => void; // the key Delete; now: with Shift
  selection?: RowSelection<Row> | undefined; // rows can be selected
  sorting?: { column: string; descending: boolean } | undefined; // of the rows that are there
  onSort?: (column: string) => void;
  onMove?: (column: string, to: string) => void; // a column, to where another one is
  onCopy?: (row: Row, column: string) => void; // Ctrl C
  onMenu?: (row: Row, column: string, at: { x: number; y: number }) => void;
}

export interface RowSelection<Row> {
  has: (row: Row) => boolean;
  can: (row: Row) => boolean; // it is no head of others
  label: (row: Row) => string; // of the row's checkbox
  all: boolean; // all rows that are there are selected
  some: boolean;
  toggle: (row: Row) => void;
  add: (rows: Row[]) => void;
  toggleAll: () => void;
}

const rowHeight = 30;
const spare = 10; // rows above and below those in sight
const minWidth = 48;

export function Grid<Row>(p: GridProps<Row>) {
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const last = Math.min(p.rows.length, Math.ceil((top + height) / rowHeight) + spare);
  const shown = p.rows.slice(first, last);

  useLayoutEffect(() => {
    const box = ref.current!;
    const watch = new ResizeObserver(() => setHeight(box.clientHeight));
    watch.observe(box);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (isFocusFree()) ref.current!.focus();
  }, []);
  useEffect(() => p.onSeen?.(shown), [first, last, p.rows]);
  useEffect(() => {
    if (last >= p.rows.length - 2 * spare) p.onEnd?.();
  }, [last, p.rows.length]);
  useEffect(() => scrollTo(ref.current!, p.active), [p.active]);
  useEffect(() => scrollToCell(ref.current!), [p.cell]);

  const anchor = useRef(0); // where a range begins
  const pick = (at: number, range: boolean) => {
    if (range) p.selection?.add(p.rows.slice(Math.min(anchor.current, at), Math.max(anchor.current, at) + 1));
    else {
      p.selection?.toggle(p.rows[at]!);
      anchor.current = at;
    }
  };
  const menuAt = (e: MouseEvent, row: Row, column: string) => {
    if (!p.onMenu) return;
    e.preventDefault();
    p.onMenu(row, column, { x: e.clientX, y: e.clientY });
  };
  const rest = p.columns.some((c) => c.grows) ? "" : " 1fr";
  const widths = (p.selection ? "34px " : "") + p.columns.map((c) => (c.grows ? `minmax(${c.width}px, 1fr)` : `${c.width}px`)).join(" ") + rest;
  const id = (at: number, column?: string) => (column === undefined ? `row-${at}` : `row-${at}-${p.columns.findIndex((c) => c.id === column)}`);
  return (
    <div
      class="grid"
      role="grid"
      aria-label={p.label}
      aria-rowcount={p.total === -1 ? -1 : (p.total ?? p.rows.length) + 1}
      aria-colcount={p.columns.length}
      aria-activedescendant={p.active >= first && p.active < last ? id(p.active, p.cell) : undefined}
      tabIndex={0}
      ref={ref}
      onScroll={(e) => setTop(e.currentTarget.scrollTop)}
      aria-multiselectable={p.selection ? true : undefined}
      onKeyDown={(e) => selectByKey(e, p, pick, anchor) || actByKey(e, p, ref.current!) || onKey(e, p, Math.floor(height / rowHeight) - 2)}
    >
      <div class="rows" role="presentation" style={{ "--columns": widths, height: `${p.rows.length * rowHeight + rowHeight}px` }}>
        <div class="head" role="row" aria-rowindex={1}>
          {p.selection && (
            <div role="columnheader" class="select" aria-label={t("select.label")}>
              <input type="checkbox" aria-label={t("select.loaded")} disabled={p.rows.length === 0} checked={p.selection.all} indeterminate={p.selection.some && !p.selection.all} onChange={p.selection.toggleAll} />
            </div>
          )}
          {p.columns.map((c) => (
            <div key={c.id} data-column={c.id} role="columnheader" aria-label={c.title} aria-sort={p.sorting?.column === c.id ? (p.sorting.descending ? "descending" : "ascending") : undefined} class={c.end ? "end" : ""}>
              <span
                class={p.onSort ? "title sorts" : "title"}
                title={p.onSort ? t("columns.sortHint", { column: c.title }) : c.title}
                onClick={() => p.onSort?.(c.id)}
                onPointerDown={(e) => p.onMove && dragColumn(e, c.id, p.onMove)}
              >
                {visible(c.title)}
                {p.sorting?.column === c.id && (p.sorting.descending ? " ↓" : " ↑")}
              </span>
              {c.hint}
              {p.onResize && <Handle column={c} onResize={p.onResize} />}
            </div>
          ))}
        </div>
        {shown.map((row, i) => {
          const at = first + i;
          return (
            <div
              key={p.rowKey(row, at)}
              id={id(at)}
              role="row"
              class={`row ${at === p.active ? "active" : ""} ${p.rowClass?.(row, at) ?? ""}`}
              aria-rowindex={at + 2}
              aria-selected={p.selection ? p.selection.has(row) : at === p.active}
              style={{ top: `${(at + 1) * rowHeight}px` }}
              onClick={(e) => {
                p.onActive(at);
                if (p.selection && (e.shiftKey || e.ctrlKey || e.metaKey)) {
                  pick(at, e.shiftKey);
                  return;
                }
                anchor.current = at;
                if (!(e.target as Element).closest("a, button, input, select")) p.onOpen?.(row, at);
              }}
            >
              {p.selection && !p.whole?.(row) && (
                <div role="gridcell" class="select">
                  <input
                    type="checkbox"
                    tabIndex={-1}
                    aria-label={p.selection.label(row)}
                    checked={p.selection.has(row)}
                    onClick={(e) => {
                      e.stopPropagation();
                      p.onActive(at);
                      pick(at, e.shiftKey);
                      ref.current?.focus();
                    }}
                  />
                </div>
              )}
              {p.whole?.(row) ?? p.columns.map((c) => (
                <div
                  key={c.id}
                  id={id(at, c.id)}
                  role="gridcell"
                  class={(c.end ? "end" : "") + (at === p.active && c.id === p.cell ? " at" : "")}
                  onClick={() => {
                    p.onCell?.(c.id);
                    awaitSecondClick(ref.current!, () => p.onEdit?.(row, at, c.id));
                  }}
                  onDblClick={() => p.onEdit?.(row, at, c.id)}
                  onContextMenu={(e) => {
                    p.onActive(at);
                    p.onCell?.(c.id);
                    menuAt(e, row, c.id);
                  }}
                >
                  {p.editing?.row === at && p.editing.column === c.id ? p.editing.editor : c.cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

// selectByKey selects rows by Space, by Shift with the arrows and by Ctrl A, and reports whether it did.
function selectByKey<Row>(e: KeyboardEvent, p: GridProps<Row>, pick: (at: number, range: boolean) => void, anchor: { current: number }): boolean {
  if (!p.selection || e.target !== e.currentTarget) return false;
  const row = p.rows[p.active];
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (e.key === " " && row && p.selection.can(row)) pick(p.active, e.shiftKey);
  else if (e.key.toLowerCase() === "a" && (e.ctrlKey || e.metaKey)) p.selection.add(p.rows);
  else if (step && e.shiftKey && row) {
    if (!p.selection.has(row)) anchor.current = p.active;
    const to = Math.min(p.rows.length - 1, Math.max(0, p.active + step));
    pick(to, true);
    p.onActive(to);
  } else return false;
  e.preventDefault();
  return true;
}

// actByKey copies a cell by Ctrl C, and opens the menu of the row by its key, and reports whether it did.
function actByKey<Row>(e: KeyboardEvent, p: GridProps<Row>, grid: Element): boolean {
  const row = p.rows[p.active];
  const column = p.cell ?? p.columns[0]?.id;
  if (e.target !== e.currentTarget || row === undefined || column === undefined) return false;
  const isMenu = e.key === "ContextMenu" || (e.key === "F10" && e.shiftKey);
  if (isMenu && p.onMenu) {
    const cell = (grid.querySelector(".at") ?? grid.querySelector(".row.active") ?? grid).getBoundingClientRect();
    p.onMenu(row, column, { x: cell.left + 8, y: cell.bottom });
  } else if (p.onCopy && e.key.toLowerCase() === "c" && (e.ctrlKey || e.metaKey) && getSelection()?.isCollapsed !== false) p.onCopy(row, column);
  else return false;
  e.preventDefault();
  return true;
}

const dragged = 6; // pixels that are no click any more

// dragColumn moves a column to where the pointer leaves it.
function dragColumn(down: PointerEvent, column: string, move: (column: string, to: string) => void): void {
  if (down.button !== 0) return;
  const title = down.currentTarget as HTMLElement;
  const head = title.closest(".head")!;
  const under = (e: PointerEvent) => (document.elementFromPoint(e.clientX, e.clientY)?.closest("[role=columnheader]") as HTMLElement | null)?.dataset["column"];
  const mark = (to: string | undefined) => {
    for (const one of head.querySelectorAll<HTMLElement>("[data-column]")) one.classList.toggle("target", one.dataset["column"] === to && to !== column);
  };
  let isDrag = false;
  const onMove = (e: PointerEvent) => {
    isDrag ||= Math.abs(e.clientX - down.clientX) > dragged;
    if (isDrag) mark(under(e));
  };
  const onUp = (e: PointerEvent) => {
    removeEventListener("pointermove", onMove);
    removeEventListener("pointerup", onUp);
    mark(undefined);
    const to = under(e);
    if (!isDrag) return;
    addEventListener("click", stop, { capture: true, once: true }); // it is no click on the title
    setTimeout(() => removeEventListener("click", stop, { capture: true }));
    if (to !== undefined) move(column, to);
  };
  addEventListener("pointermove", onMove);
  addEventListener("pointerup", onUp);
}

// awaitSecondClick takes the second click of a double click if it does not hit the grid: the first may
// have opened a panel at that place.
function awaitSecondClick(grid: Element, run: () => void): void {
  const take = (e: MouseEvent) => {
    if (e.detail !== 2 || grid.contains(e.target as Element)) return;
    stop(e);
    addEventListener("click", (e) => e.detail === 2 && stop(e), { capture: true, once: true });
    run();
  };
  addEventListener("mousedown", take, { capture: true, once: true });
}

function stop(e: Event): void {
  e.preventDefault();
  e.stopPropagation();
}

// scrollTo brings a row into sight, below the head.
function scrollTo(box: HTMLDivElement, at: number): void {
  if (at < 0) return;
  const y = at * rowHeight;
  if (y < box.scrollTop) box.scrollTop = y;
  else if (y + 2 * rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = y + 2 * rowHeight - box.clientHeight;
}

// scrollToCell brings the cell that the keyboard is at into sight.
function scrollToCell(box: HTMLDivElement): void {
  const cell = box.querySelector<HTMLElement>(".at");
  if (!cell) return;
  if (cell.offsetLeft < box.scrollLeft) box.scrollLeft = cell.offsetLeft;
  else if (cell.offsetLeft + cell.offsetWidth > box.scrollLeft + box.clientWidth) box.scrollLeft = cell.offsetLeft + cell.offsetWidth - box.clientWidth;
}

function onKey<Row>(e: KeyboardEvent, p: GridProps<Row>, page: number): void {
  if (e.target !== e.currentTarget) return;
  const end = Math.max(0, p.rows.length - 1); // rows may still come
  const moves: { [key: string]: number } = {
    ArrowDown: Math.min(end, p.active + 1),
    ArrowUp: Math.max(0, p.active - 1),
    PageDown: Math.min(end, p.active + page),
    PageUp: Math.max(0, p.active - page),
    Home: 0,
    End: end,
  };
  const to = moves[e.key];
  if (to !== undefined && !e.altKey && !e.metaKey && !e.ctrlKey) {
    e.preventDefault();
    p.onActive(to);
    return;
  }
  const row = p.rows[p.active];
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (sideways && p.onCell) moveCell(p, sideways);
  else if (e.key === "Enter" && row) enterPanel(e.currentTarget as Element) || p.onOpen?.(row, p.active);
  else if (e.key === "F2" && row && p.onEdit && p.cell !== undefined) p.onEdit(row, p.active, p.cell);
  else if (e.key === "Delete" && row && p.onDelete) p.onDelete(row, p.active, e.shiftKey);
  else return;
  e.preventDefault();
}

function moveCell<Row>(p: GridProps<Row>, by: number): void {
  const at = p.columns.findIndex((c) => c.id === p.cell);
  const to = p.columns[Math.min(p.columns.length - 1, Math.max(0, at + by))];
  if (to) p.onCell?.(to.id);
}

// enterPanel gives the focus to the panel beside a grid, if it shows the active row already.
function enterPanel(grid: Element): boolean {
  const panel = grid.querySelector(".row.active.opened") && grid.parentElement?.querySelector(".panel");
  panel?.querySelector<HTMLElement>(".panel-body :is(a[href], button, input, textarea)")?.focus();
  return !!panel;
}

// Handle changes the width of a column, by the pointer or by the arrow keys.
function Handle<Row>({ column, onResize }: { column: Column<Row>; onResize: (column: string, width: number) => void }) {
  const set = (width: number) => onResize(column.id, Math.max(minWidth, Math.round(width)));
  const drag = (down: PointerEvent) => {
    const handle = down.currentTarget as HTMLElement;
    handle.setPointerCapture(down.pointerId);
    const move = (e: PointerEvent) => set(column.width + e.clientX - down.clientX);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), { once: true });
  };
  return (
    <span
      class="handle"
      role="separator"
      aria-orientation="vertical"
      aria-label={t("columns.width", { column: column.title })}
      aria-valuenow={column.width}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={(e) => {
        if (e.key === "ArrowLeft") set(column.width - 16);
        if (e.key === "ArrowRight") set(column.width + 16);
      }}
    />
  );
}
