// Live lists the latest requests, and shows one of them beside the others.

import { Badge, Button, Check, Empty, Loading, Select } from "../../components/controls";
import { copy } from "../../components/toast";
import { Panel } from "../../components/panel";
import { Grid, type Column } from "../../components/grid";
import type { Operation } from "../../api/traffic";
import { bytes, count, decimal, t, timeOfDay } from "../../i18n";
import { route, setQuery } from "../../state/route";
import { session } from "../../state/session";
import { operations, paused, traffic } from "../../state/traffic";
import { Bodies } from "./bodies";
import { linksOf, tableLink } from "./links";

export function Live() {
  const query = route.value.query;
  const rows = operations.value.filter(
    (o) =>
      (!query.get("table") || o.tables.includes(query.get("table")!)) &&
      (!query.get("operation") || o.operation === query.get("operation")) &&
      (!query.get("errors") || o.error !== undefined),
  );
  const opened = operations.value.find((o) => o.id === Number(query.get("id")));
  const choose = (at: number) => setQuery({ id: rows[at] && String(rows[at].id) }, true);
  const close = () => setQuery({ id: undefined }, true);
  return (
    <>
      <div class="split">
        {rows.length === 0 ? <Nothing /> : (
          <Grid
            label={t("traffic.requests")}
            rows={rows}
            columns={columns()}
            rowKey={(o) => String(o.id)}
            rowClass={(o) => (o === opened ? "opened" : "")}
            active={opened ? rows.indexOf(opened) : -1}
            onActive={choose}
          />
        )}
        {opened && <Details operation={opened} onClose={close} />}
      </div>
      <div class="status" role="status">
        <span>{t("traffic.shown", { count: rows.length })}</span>
        {paused.value && <span>{t("traffic.paused")}</span>}
      </div>
    </>
  );
}

function Nothing() {
  if (!traffic.value) return <Loading />;
  const some = operations.value.length > 0;
  return (
    <Empty title={t(some ? "traffic.noneFound" : "traffic.none")}>
      <p>{t(some ? "traffic.noneFoundHint" : "traffic.noneHint")}</p>
      {!some && session.value?.endpoint === "" && <Button icon="copy" onClick={() => void copy(location.origin, t("common.copied"))}>{t("traffic.copyEndpoint")}</Button>}
    </Empty>
  );
}

/** Filters chooses by table, operation and error. What is chosen stays among the choices. */
export function Filters() {
  const query = route.value.query;
  const choices = (name: string, all: string[], any: string) => [
    { value: "", text: any },
    ...[...new Set([...all, query.get(name) ?? ""])].filter(Boolean).sort().map((value) => ({ value, text: value })),
  ];
  return (
    <div class="actions traffic-filters">
      <Select
        label={t("traffic.table")}
        hideLabel
        value={query.get("table") ?? ""}
        options={choices("table", operations.value.flatMap((o) => o.tables), t("traffic.anyTable"))}
        onChange={(table) => setQuery({ table }, true)}
      />
      <Select
        label={t("traffic.operation")}
        hideLabel
        value={query.get("operation") ?? ""}
        options={choices("operation", operations.value.map((o) => o.operation), t("traffic.anyOperation"))}
        onChange={(operation) => setQuery({ operation }, true)}
      />
      <Check label={t("traffic.onlyErrors")} checked={query.has("errors")} onChange={(on) => setQuery({ errors: on ? "1" : undefined }, true)} />
    </div>
  );
}

function columns(): Column<Operation>[] {
  return [
    { id: "time", title: t("traffic.time"), width: 110, cell: (o) => <span class="muted time">{timeOfDay(o.time)}</span> },
    { id: "operation", title: t("traffic.operation"), width: 150, cell: (o) => <span class="strong">{o.operation || "–"}</span> },
    { id: "table", title: t("traffic.table"), width: 120, cell: (o) => <Tables operation={o} /> },
    { id: "what", title: t("traffic.what"), width: 200, grows: true, cell: (o) => <What operation={o} /> },
    { id: "items", title: t("traffic.items"), width: 66, end: true, cell: itemsText },
    { id: "units", title: t("traffic.units"), width: 90, end: true, cell: unitsText },
    { id: "took", title: t("traffic.took"), width: 80, end: true, cell: (o) => `${decimal(o.milliseconds, 2)} ms` },
    { id: "error", title: t("traffic.error"), width: 174, cell: (o) => o.error !== undefined && <span title={o.error}><Badge tone="bad">{o.error.replace(/Exception$/, "")}</Badge></span> },
  ];
}

function Tables({ operation: o }: { operation: Operation }) {
  const [first] = o.tables;
  if (first === undefined) return <span class="muted">–</span>;
  return (
    <span class="mono" title={o.tables.join("\n")}>
      <a href={tableLink(first, o)} tabIndex={-1}>{first}</a>
      {o.tables.length > 1 && <span class="muted"> +{o.tables.length - 1}</span>}
    </span>
  );
}

function What({ operation }: { operation: Operation }) {
  const [first, ...others] = linksOf(operation);
  if (!first) return null;
  return (
    <span class="mono" title={first.text}>
      <a href={first.to} tabIndex={-1}>{first.text}</a>
      {others.length > 0 && <span class="muted"> +{others.length}</span>}
    </span>
  );
}

// itemsText is how many items were returned of those read, or how many were written.
function itemsText(o: Operation): string {
  if (o.evaluated > 0) return o.returned === o.evaluated ? count(o.returned) : `${count(o.returned)} / ${count(o.evaluated)}`;
  return o.written > 0 ? count(o.written) : "";
}

function unitsText(o: Operation): string {
  const list = [];
  if (o.readUnits > 0) list.push(`${decimal(o.readUnits, 1)} RCU`);
  if (o.writeUnits > 0) list.push(`${decimal(o.writeUnits, 1)} WCU`);
  return list.join(" ");
}

// Details says all that is known of a request.
function Details({ operation: o, onClose }: { operation: Operation; onClose: () => void }) {
  return (
    <Panel label={t("traffic.operation")} onClose={onClose}>
      <header>
        <h2>{o.operation || "–"}</h2>
        {o.error !== undefined && <Badge tone="bad">{o.error}</Badge>}
        <Button icon="close" kind="quiet" label={t("common.close")} onClick={onClose} />
      </header>
      <div class="panel-body">
        {o.message && <p class="message">{o.message}</p>}
        <nav class="follow" aria-label={t("item.follow")}>
          {o.tables.map((name) => <a key={"table " + name} href={tableLink(name, o)}>{t("traffic.table")} <span class="mono">{name}</span></a>)}
          {linksOf(o).map((link, i) => <a key={i} href={link.to}><span class="mono">{link.text}</span></a>)}
        </nav>
        <dl class="pairs">
          <dt>{t("traffic.time")}</dt><dd>{timeOfDay(o.time)}</dd>
          <dt>{t("traffic.took")}</dt><dd>{decimal(o.milliseconds, 3)} ms</dd>
          <dt>{t("traffic.units")}</dt><dd>{unitsText(o) || "–"}</dd>
          <dt>{t("traffic.items")}</dt><dd>{t("traffic.readOf", { count: o.returned, total: o.evaluated })}<br />{t("traffic.written", { count: o.written })}</dd>
          <dt>{t("traffic.bytes")}</dt><dd>{bytes(o.requestBytes)} · {bytes(o.responseBytes)}</dd>
          <dt>{t("traffic.status")}</dt><dd>{o.status || "–"}</dd>
          <dt>{t("traffic.caller")}</dt><dd class="mono">{o.accessKey || "–"} · {o.region || "–"}</dd>
          <dt>{t("traffic.requestId")}</dt><dd class="mono">{o.requestId}</dd>
        </dl>
        <Bodies id={o.id} />
      </div>
    </Panel>
  );
}
