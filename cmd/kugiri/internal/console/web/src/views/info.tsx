// Info shows the settings of a table.

import type { ComponentChildren } from "preact";
import { billingOf, indexesOf } from "../api/schema";
import { Badge, Button } from "../components/controls";
import { bytes, count, moment, t } from "../i18n";
import { tableInfos } from "../state/tables";
import type { TableViewProps } from "./props";

export default function Info({ table, refresh }: TableViewProps) {
  const ttl = tableInfos.value.get(table.TableName)?.ttl;
  const capacity = table.ProvisionedThroughput;
  const provisioned = billingOf(table) === "PROVISIONED";
  return (
    <div class="scroll">
      <div class="actions">
        <Button icon="refresh" onClick={refresh}>{t("common.refresh")}</Button>
      </div>
      <dl class="facts">
        <Fact name={t("tables.status")}>{table.TableStatus}</Fact>
        <Fact name={t("tables.items")}>{count(table.ItemCount ?? 0)}</Fact>
        <Fact name={t("tables.size")}>{bytes(table.TableSizeBytes ?? 0)}</Fact>
        <Fact name={t("tables.billing")}>
          {provisioned ? `${t("tables.provisioned")}: ${capacity?.ReadCapacityUnits} / ${capacity?.WriteCapacityUnits}` : t("tables.onDemand")}
        </Fact>
        <Fact name={t("tables.stream")}>{table.StreamSpecification?.StreamViewType ?? "–"}</Fact>
        <Fact name={t("tables.ttl")}>{ttl || "–"}</Fact>
        <Fact name={t("info.created")}>{moment(table.CreationDateTime)}</Fact>
        <Fact name={t("create.protection")}>{t(table.DeletionProtectionEnabled ? "common.yes" : "common.no")}</Fact>
        <Fact name="ARN" wide><span class="mono">{table.TableArn}</span></Fact>
      </dl>
      <h2>{t("tables.indexes")}</h2>
      {indexesOf(table).length === 0 && <p class="muted">{t("info.noIndexes")}</p>}
      {indexesOf(table).map((index) => (
        <article class="card" key={index.IndexName}>
          <h3 class="mono">{index.IndexName}</h3>
          <p>
            {(index.KeySchema ?? []).map((k) => (
              <Badge key={k.AttributeName}>
                <span class="muted">{t(k.KeyType === "HASH" ? "key.partition" : "key.sort")}</span> <span class="mono">{k.AttributeName}</span>
              </Badge>
            ))}{" "}
            <span class="muted">
              {index.Projection?.ProjectionType} · {t("info.items", { count: index.ItemCount ?? 0 })} · {bytes(index.IndexSizeBytes ?? 0)}
            </span>
          </p>
        </article>
      ))}
    </div>
  );
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ComponentChildren }) {
  return (
    <div class={wide ? "wide" : ""}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
