// A table of the sums of the recorded requests.

import type { ComponentChildren } from "preact";

export interface TableColumn<Row> {
  title: string;
  end?: boolean; // aligned at the end, as numbers are
  cell: (row: Row) => ComponentChildren;
}

export function SumTable<Row>({ title, rows, columns }: { title: string; rows: Row[]; columns: TableColumn<Row>[] }) {
  return (
    <section class="sums">
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>{columns.map((c) => <th key={c.title} scope="col" class={c.end ? "end" : ""}>{c.title}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>{columns.map((c) => <td key={c.title} class={c.end ? "end" : ""}>{c.cell(row)}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
