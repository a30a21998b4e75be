// HotKeys lists the partition keys on which the most units were used.

import { Empty, Loading } from "../../components/controls";
import { decimal, t } from "../../i18n";
import { traffic } from "../../state/traffic";
import { Share } from "./budgets";
import { partitionLink, tableLink } from "./links";
import { SumTable } from "./table";

export function HotKeys() {
  if (!traffic.value) return <Loading />;
  const rows = traffic.value.partitions;
  if (rows.length === 0) return <Empty title={t("traffic.noKeys")} />;
  return (
    <div class="scroll">
      <SumTable
        title={t("traffic.keys")}
        rows={rows}
        columns={[
          { title: t("traffic.key"), cell: (r) => <Key to={partitionLink(r.table, r.index, r.key)} text={r.key} /> },
          { title: t("traffic.table"), cell: (r) => <><a class="mono" href={tableLink(r.table, undefined, { index: r.index })}>{r.table}</a> <span class="mono muted">{r.index}</span></> },
          { title: t("traffic.units"), end: true, cell: (r) => decimal(r.units, 1) },
          { title: t("traffic.share"), cell: (r) => <><Share of={r.share} label={t("traffic.share")} /> {decimal(r.share * 100, 0)} %</> },
        ]}
      />
    </div>
  );
}

function Key({ to, text }: { to: string; text: string }) {
  return to ? <a class="mono strong" href={to}>{text}</a> : <span class="mono strong">{text}</span>;
}
