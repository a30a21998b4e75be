// Sums: the calls, errors and latency of each operation, and the capacity of each table and index.

import { billingOf, indexesOf } from "../../api/schema";
import { isThrottle, type Traffic } from "../../api/traffic";
import { Badge, Loading } from "../../components/controls";
import { count, decimal, t } from "../../i18n";
import { tableInfos } from "../../state/tables";
import { traffic } from "../../state/traffic";
import { tableLink } from "./links";
import { SumTable } from "./table";

export function Sums() {
  const counted = traffic.value;
  if (!counted) return <Loading />;
  return (
    <div class="scroll">
      <Latencies counted={counted} />
      <Errors counted={counted} />
      <Capacities counted={counted} />
    </div>
  );
}

function Latencies({ counted }: { counted: Traffic }) {
  const errors = new Map<string, number>();
  for (const o of counted.operations) {
    for (const n of Object.values(o.errors ?? {})) errors.set(o.operation, (errors.get(o.operation) ?? 0) + n);
  }
  const rows = counted.latencies.toSorted((a, b) => b.requests - a.requests);
  const time = (n: number) => decimal(n, n < 10 ? 2 : 0);
  return (
    <SumTable
      title={t("traffic.latency")}
      rows={rows}
      columns={[
        { title: t("traffic.operation"), cell: (r) => <span class="strong">{r.operation || "–"}</span> },
        { title: t("traffic.calls"), end: true, cell: (r) => count(r.requests) },
        { title: t("traffic.errors"), end: true, cell: (r) => count(errors.get(r.operation) ?? 0) },
        { title: "p50", end: true, cell: (r) => time(r.p50) },
        { title: "p90", end: true, cell: (r) => time(r.p90) },
        { title: "p99", end: true, cell: (r) => time(r.p99) },
        { title: "max", end: true, cell: (r) => time(r.max) },
      ]}
    />
  );
}

function Errors({ counted }: { counted: Traffic }) {
  const rows = counted.operations.flatMap((o) => Object.entries(o.errors ?? {}).map(([type, n]) => ({ ...o, type, n })));
  rows.sort((a, b) => b.n - a.n);
  if (rows.length === 0) return <p class="muted">{t("traffic.noErrors")}</p>;
  return (
    <SumTable
      title={t("traffic.errorsByType")}
      rows={rows}
      columns={[
        { title: t("traffic.error"), cell: (r) => <><Badge tone="bad">{r.type}</Badge> {isThrottle(r.type) && <span class="muted">{t("traffic.throttled")}</span>}</> },
        { title: t("traffic.operation"), cell: (r) => r.operation || "–" },
        { title: t("traffic.table"), cell: (r) => <span class="mono">{r.table ?? "–"}</span> },
        { title: t("traffic.count"), end: true, cell: (r) => count(r.n) },
      ]}
    />
  );
}

interface Used {
  table: string;
  index?: string;
  read: number;
  write: number;
}

// Capacities compares what was used on average with the provisioned throughput.
function Capacities({ counted }: { counted: Traffic }) {
  const seconds = Math.max(1, (Date.parse(counted.until) - Date.parse(counted.since)) / 1000);
  const rows = new Map<string, Used>();
  for (const c of counted.capacity) {
    const id = JSON.stringify([c.table, c.index]);
    const row = rows.get(id) ?? { table: c.table, ...(c.index ? { index: c.index } : {}), read: 0, write: 0 };
    rows.set(id, { ...row, read: row.read + c.read, write: row.write + c.write });
  }
  return (
    <SumTable
      title={t("traffic.capacity")}
      rows={[...rows.values()].sort((a, b) => b.read + b.write - a.read - a.write)}
      columns={[
        { title: t("traffic.table"), cell: (r) => <><a class="mono" href={tableLink(r.table, undefined, { index: r.index })}>{r.table}</a> <span class="mono muted">{r.index}</span></> },
        { title: "RCU", end: true, cell: (r) => decimal(r.read, 1) },
        { title: "WCU", end: true, cell: (r) => decimal(r.write, 1) },
        { title: t("traffic.average"), end: true, cell: (r) => `${decimal(r.read / seconds, 2)} / ${decimal(r.write / seconds, 2)}` },
        { title: t("traffic.provisioned"), end: true, cell: provisioned },
      ]}
    />
  );
}

function provisioned(r: Used): string {
  const table = tableInfos.value.get(r.table)?.table;
  if (!table) return "";
  if (billingOf(table) !== "PROVISIONED") return "–";
  const index = table.GlobalSecondaryIndexes?.find((i) => i.IndexName === r.index);
  const isLocal = r.index !== undefined && !index && indexesOf(table).some((i) => i.IndexName === r.index);
  const of = index ?? table;
  const limits = isLocal ? table.ProvisionedThroughput : of.ProvisionedThroughput;
  return limits ? `${count(limits.ReadCapacityUnits)} / ${count(limits.WriteCapacityUnits)}` : "–";
}
