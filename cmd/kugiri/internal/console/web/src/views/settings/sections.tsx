// Sections shows the settings of a table in parts, with buttons that change them.

import type { ComponentChildren } from "preact";
import type { IndexDescription, TableDescription } from "../../api/dynamodb";
import { billingOf, indexesOf } from "../../api/schema";
import type { Settings, Transfer } from "../../api/settings";
import { Badge, Button } from "../../components/controls";
import { bytes, count, moment, t } from "../../i18n";
import type { Change } from "./change";
import * as data from "./data_changes";
import { newIndex } from "./new_index";
import * as of from "./table_changes";

interface Props {
  table: TableDescription;
  settings: Settings;
  change: ((change: Change) => void) | undefined; // undefined: nothing can be changed
}

export function Sections(p: Props) {
  const { table, settings: s } = p;
  const maximum = table.OnDemandThroughput;
  const warm = table.WarmThroughput;
  return (
    <>
      <Indexes {...p} />
      <div class="setting-list">
        <Setting {...p} name={t("settings.billing")} changes={[of.billing(table)]}>
          {billingOf(table) === "PROVISIONED" ? `${t("tables.provisioned")}: ${table.ProvisionedThroughput?.ReadCapacityUnits} / ${table.ProvisionedThroughput?.WriteCapacityUnits}` : t("tables.onDemand")}
          {maximum && ` · ${t("settings.atMost", { read: maximum.MaxReadRequestUnits ?? -1, write: maximum.MaxWriteRequestUnits ?? -1 })}`}
        </Setting>
        <Setting {...p} name={t("settings.warm")} changes={[of.warmThroughput(table)]}>{warm ? `${count(warm.ReadUnitsPerSecond ?? 0)} / ${count(warm.WriteUnitsPerSecond ?? 0)}` : "–"}</Setting>
        <Setting {...p} name={t("settings.ttl")} changes={[of.timeToLive(table, s)]}>{s.ttl?.attribute ? <><span class="mono">{s.ttl.attribute}</span> <State of={s.ttl.status} /></> : "–"}</Setting>
        <Setting {...p} name={t("settings.stream")} changes={[of.stream(table)]}>{table.StreamSpecification?.StreamViewType ?? "–"}</Setting>
        <Setting {...p} name={t("create.protection")} changes={[of.protection(table)]}>{t(table.DeletionProtectionEnabled ? "common.yes" : "common.no")}</Setting>
        <Setting {...p} name={t("settings.class")} changes={[of.tableClass(table)]}>{table.TableClassSummary?.TableClass ?? "STANDARD"}</Setting>
        <Setting {...p} name={t("settings.tags")} changes={[data.tags(table, s.tags)]}>{s.tags.map((one) => `${one.Key}=${one.Value}`).join(", ") || "–"}</Setting>
        <Setting {...p} name={t("settings.insights")} changes={[of.insights(table, "", s)]}>{s.insights[""] ? <State of={s.insights[""]} /> : "–"}</Setting>
        <Setting {...p} name={t("settings.resourcePolicy")} changes={[data.resourcePolicy(table, s.policy), ...(s.policy ? [data.removePolicy(table)] : [])]}>{s.policy ? bytes(s.policy.length) : "–"}</Setting>
        <Setting {...p} name={t("settings.recovery")} changes={[data.recovery(table, s.recovery), ...(s.recovery?.on ? [data.restoreToTime(table, s.recovery)] : [])]}>
          {s.recovery?.on ? `${moment(s.recovery.earliest)} – ${moment(s.recovery.latest)}` : t("common.no")}
        </Setting>
      </div>
      <Replicas {...p} />
      <Kinesis {...p} />
      <Backups {...p} />
      <Transfers {...p} />
    </>
  );
}

type Changer = Pick<Props, "change">;

function Setting({ name, changes, change, children }: Changer & { name: string; changes: Change[]; children: ComponentChildren }) {
  return (
    <article class="setting" aria-label={name}>
      <h3>{name}</h3>
      <p>{children}</p>
      <Changes changes={changes} change={change} of={name} />
    </article>
  );
}

// Changes has a button for each change. The first is called after what it changes.
function Changes({ changes, change, of: name }: Changer & { changes: Change[]; of?: string }) {
  return (
    <span class="actions">
      {changes.map((one) => (
        <Button key={one.id} {...(name === one.title ? { label: t("settings.change", { name }) } : {})} disabled={!change} onClick={() => change?.(one)}>{name === one.title ? t("settings.changeIt") : one.title}</Button>
      ))}
    </span>
  );
}

export function State({ of: state }: { of: string }) {
  const good = ["ACTIVE", "ENABLED", "COMPLETED", "AVAILABLE"].includes(state);
  return <Badge tone={good ? "good" : state.includes("FAIL") ? "bad" : "warn"}>{state}</Badge>;
}

function Part({ title, none, empty, changes, change, children }: Changer & { title: string; none: string; empty: boolean; changes: Change[]; children: ComponentChildren }) {
  return (
    <section class="part" aria-label={title}>
      <header><h2>{title}</h2><Changes changes={changes} change={change} /></header>
      {empty ? <p class="muted">{none}</p> : children}
    </section>
  );
}

function Indexes({ table, settings, change }: Props) {
  const vector = billingOf(table) === "PROVISIONED" ? [] : [of.newVectorIndex(table)];
  return (
    <Part title={t("tables.indexes")} none={t("info.noIndexes")} empty={indexesOf(table).length === 0} changes={[newIndex(table), ...vector]} change={change}>
      {indexesOf(table).map((index) => <Index key={index.IndexName} table={table} index={index} settings={settings} change={change} />)}
    </Part>
  );
}

function Index({ table, index, settings, change }: Props & { index: IndexDescription }) {
  const local = (table.LocalSecondaryIndexes ?? []).includes(index);
  const moving = index.IndexStatus !== undefined && index.IndexStatus !== "ACTIVE";
  const changes = local ? [] : [
    ...(billingOf(table) === "PROVISIONED" ? [of.indexThroughput(table, index)] : []),
    ...(index.KeySchema ? [of.insights(table, index.IndexName, settings)] : []),
    of.removeIndex(table, index),
  ];
  return (
    <article class="card" aria-label={index.IndexName}>
      <p>
        <strong class="mono">{index.IndexName}</strong>
        <Badge>{t(local ? "source.local" : index.KeySchema ? "source.global" : "settings.vector")}</Badge>
        {moving && <State of={index.IndexStatus!} />}
        {(index.KeySchema ?? []).map((k) => (
          <Badge key={k.AttributeName}>
            <span class="muted">{t(k.KeyType === "HASH" ? "key.partition" : "key.sort")}</span> <span class="mono">{k.AttributeName}</span>
          </Badge>
        ))}
        {index.VectorAttribute && <span class="mono">{`${index.VectorAttribute.AttributeName} · ${index.Dimensions} · ${index.DistanceFunction}`}</span>}
        <span class="muted">
          {index.Projection?.ProjectionType} · {t("info.items", { count: index.ItemCount ?? 0 })} · {bytes(index.IndexSizeBytes ?? 0)}
        </span>
      </p>
      {moving && (
        <label class="progress">
          {t(index.Backfilling ? "settings.backfilling" : "settings.waiting", { count: index.ItemCount ?? 0, total: table.ItemCount ?? 0 })}
          <progress max={Math.max(1, table.ItemCount ?? 0)} {...(index.Backfilling ? { value: index.ItemCount ?? 0 } : {})} />
        </label>
      )}
      {changes.length > 0 && <Changes changes={changes} change={change} />}
    </article>
  );
}

function Replicas({ table, change }: Props) {
  const list = table.Replicas ?? [];
  return (
    <Part title={t("settings.replicas")} none={t("settings.noReplicas")} empty={list.length === 0} changes={[of.newReplica(table)]} change={change}>
      {list.map((r) => <Line key={r.RegionName} name={r.RegionName} state={r.ReplicaStatus ?? ""} changes={[of.removeReplica(table, r.RegionName)]} change={change} />)}
    </Part>
  );
}

function Kinesis({ table, settings, change }: Props) {
  return (
    <Part title="Kinesis" none={t("settings.noKinesis")} empty={settings.kinesis.length === 0} changes={[data.newDestination(table)]} change={change}>
      {settings.kinesis.map((d) => <Line key={d.arn} name={d.arn} state={d.status} changes={d.status === "ACTIVE" ? [data.removeDestination(table, d.arn)] : []} change={change} />)}
    </Part>
  );
}

function Backups({ table, settings, change }: Props) {
  return (
    <Part title={t("settings.backups")} none={t("settings.noBackups")} empty={settings.backups.length === 0} changes={[data.newBackup(table)]} change={change}>
      {settings.backups.map((b) => (
        <Line key={b.arn} name={b.name} state={b.status} more={`${moment(b.created)} · ${bytes(b.bytes)}`} changes={[data.restoreBackup(table, b), data.removeBackup(b)]} change={change} />
      ))}
    </Part>
  );
}

function Transfers({ table, settings, change }: Props) {
  const changes = [...(settings.recovery?.on ? [data.newExport(table, settings.recovery)] : []), data.newImport(table)];
  return (
    <Part title={t("settings.transfers")} none={t(settings.recovery?.on ? "settings.noTransfers" : "settings.exportNeedsRecovery")} empty={settings.transfers.length === 0} changes={changes} change={change}>
      {settings.transfers.map((one) => <Line key={one.arn} name={`${t(`settings.${one.kind}`)}: ${one.where}`} state={one.status} more={moreOf(one)} changes={[]} change={change} />)}
    </Part>
  );
}

const moreOf = (one: Transfer) => (one.items === undefined ? "" : t("info.items", { count: one.items }));

interface LineProps extends Changer {
  name: string;
  state: string;
  more?: string;
  changes: Change[];
}

function Line({ name, state, more, changes, change }: LineProps) {
  return (
    <div class="part-line">
      <span class="mono strong">{name}</span>
      {state && <State of={state} />}
      {more && <span class="muted">{more}</span>}
      {state.includes("IN_PROGRESS") && <progress aria-label={name} />}
      <Changes changes={changes} change={change} />
    </div>
  );
}
