// Reads lists the kinds of Query, Scan and SELECT, and what they read in vain.

import type { ReadReport } from "../../api/traffic";
import { Badge, Empty, Loading } from "../../components/controls";
import { count, decimal, t } from "../../i18n";
import { traffic } from "../../state/traffic";
import { tableLink } from "./links";
import { SumTable } from "./table";

export function Reads() {
  if (!traffic.value) return <Loading />;
  const rows = traffic.value.reads;
  if (rows.length === 0) return <Empty title={t("traffic.noReads")} />;
  return (
    <div class="scroll">
      <SumTable
        title={t("traffic.reads")}
        rows={rows}
        columns={[
          { title: t("traffic.operation"), cell: (r) => <span class="strong">{r.operation}</span> },
          { title: t("traffic.table"), cell: (r) => <><a class="mono" href={tableLink(r.table, undefined, { index: r.index })}>{r.table}</a> <span class="mono muted">{r.index}</span></> },
          { title: t("traffic.condition"), cell: (r) => <Condition read={r} /> },
          { title: t("traffic.pages"), end: true, cell: (r) => count(r.pages) },
          { title: t("traffic.evaluated"), end: true, cell: (r) => count(r.evaluated) },
          { title: t("traffic.returned"), end: true, cell: (r) => count(r.returned) },
          { title: t("traffic.waste"), end: true, cell: (r) => (wasteOf(r) > 0 ? <Badge tone="warn">{decimal(wasteOf(r) * 100, 0)} %</Badge> : "–") },
          { title: "RCU", end: true, cell: (r) => decimal(r.units, 1) },
        ]}
      />
    </div>
  );
}

function Condition({ read }: { read: ReadReport }) {
  return (
    <span title={read.why.join("\n")}>
      {read.scan ? <Badge tone="warn">{t("traffic.scan")}</Badge> : <span class="mono">{read.keyCondition}</span>}{" "}
      {read.filter && <span class="muted">{t("traffic.filter")}: <span class="mono">{read.filter}</span></span>}
    </span>
  );
}

// wasteOf is the share of the items read that the filter dropped, 0 to 1.
const wasteOf = (read: ReadReport) => (read.evaluated > 0 ? (read.evaluated - read.returned) / read.evaluated : 0);
