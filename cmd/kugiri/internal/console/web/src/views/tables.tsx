// Tables lists the tables, with what each of them has.

import { useLayoutEffect, useState } from "preact/hooks";
import { call, isError, type TableDescription } from "../api/dynamodb";
import { billingOf, indexesOf } from "../api/schema";
import { Badge, Button, Empty, Problem, TextField } from "../components/controls";
import { ConfirmByWord } from "../components/dialog";
import { Grid, type Column } from "../components/grid";
import { late } from "../components/late";
import { toast } from "../components/toast";
import { bytes, count, t } from "../i18n";
import { purge } from "../api/purge";
import { href, navigate, route, setQuery } from "../state/route";
import { identity } from "../state/identity";
import { inForce } from "../state/in_force";
import { session, writable } from "../state/session";
import { loadTables, tableInfos, tableNames, tablesError, tablesLoading, want } from "../state/tables";

const CreateTable = late<{ onClose: () => void; dropped?: File }>("CreateTable");
const FirstScreen = late<object>("FirstScreen");

export default function Tables() {
  const filter = route.value.query.get("filter") ?? "";
  const [active, setActive] = useState(0);
  const [question, setQuestion] = useState<Question>();
  const names = tableNames.value.filter((n) => n.toLowerCase().includes(filter.toLowerCase()));
  const creating = route.value.query.has("create");
  const [dropped, setDropped] = useState<File>();
  const take = (e: DragEvent) => {
    const file = e.dataTransfer?.files[0];
    if (!file || e.defaultPrevented) return;
    e.preventDefault();
    if (!writable.value) return toast(t("writes.off"));
    setDropped(file);
    setQuery({ create: "file" });
  };
  return (
    <section class="page" onDragOver={(e) => e.preventDefault()} onDrop={take}>
      <header class="pagehead">
        <h1>{t("tables.title")}</h1>
        <span class="muted">{tablesLoading.value ? t("common.loading") : t("tables.count", { count: tableNames.value.length })}</span>
        <div class="actions">
          <Filter value={filter} />
          <Button icon="refresh" kind="quiet" label={t("common.refresh")} onClick={() => void loadTables()} />
          <Button icon="plus" kind="primary" disabled={!writable.value} onClick={() => setQuery({ create: "form" })}>
            {t("tables.create")}
          </Button>
        </div>
      </header>
      <Problem text={tablesError.value} onRetry={() => void loadTables()} />
      {names.length === 0 && !tablesLoading.value && !tablesError.value ? (
        <Empty title={t(filter ? "tables.noneFound" : "tables.none")}>
          <p>{t(filter ? "tables.noneFoundHint" : "tables.noneHint")}</p>
          {!filter && <Elsewhere />}
          <div class="actions">
            {filter ? (
              <Button onClick={() => setQuery({ filter: undefined }, true)}>{t("tables.clearFilter")}</Button>
            ) : (
              <>
                <Button icon="plus" kind="primary" disabled={!writable.value} onClick={() => setQuery({ create: "form" })}>{t("tables.createFirst")}</Button>
                <Button icon="upload" disabled={!writable.value} onClick={() => setQuery({ create: "file" })}>{t("tables.fromFile")}</Button>
              </>
            )}
          </div>
          {!filter && <FirstScreen />}
        </Empty>
      ) : (
        <Grid
          label={t("tables.title")}
          rows={names}
          columns={columns(setQuestion, names[active])}
          rowKey={(name) => name}
          active={active}
          onActive={setActive}
          onOpen={(name) => navigate(["tables", name])}
          onSeen={(seen) => seen.toReversed().forEach(want)}
        />
      )}
      {creating && (
        <CreateTable
          {...(dropped ? { dropped } : {})}
          onClose={() => {
            setDropped(undefined);
            setQuery({ create: undefined });
          }}
        />
      )}
      {question && <Removal {...question} onClose={() => setQuestion(undefined)} />}
    </section>
  );
}

// Elsewhere lists who else has tables, with links to them.
function Elsewhere() {
  const { accessKey, region } = identity.value;
  const others = (inForce.value?.namespaces ?? []).filter((n) => n.accessKey && n.tables > 0 && (n.accessKey !== accessKey || n.region !== region));
  if (others.length === 0 || !session.value?.choice) return null;
  return (
    <ul class="elsewhere" aria-label={t("tables.elsewhere")}>
      {others.slice(0, 20).map((n) => (
        <li key={n.accessKey + "@" + n.region}>
          <a href={href(["tables"], { as: `${n.accessKey}@${n.region}` })}>{t("tables.ofOther", { count: n.tables, accessKey: n.accessKey, region: n.region })}</a>
        </li>
      ))}
    </ul>
  );
}

function Filter({ value }: { value: string }) {
  return (
    <div class="filter">
      <TextField
        label={t("tables.filter")}
        hideLabel
        placeholder={t("tables.filter")}
        value={value}
        onInput={(text) => setQuery({ filter: text || undefined }, true)}
      />
    </div>
  );
}

interface Question {
  kind: "delete" | "purge";
  table: string;
}

// columns has the buttons of the active row in the order of the Tab key, and those of no other row.
function columns(ask: (q: Question) => void, current: string | undefined): Column<string>[] {
  const described = (show: (t: TableDescription, ttl?: string) => preact.ComponentChildren) => (name: string) => {
    const info = tableInfos.value.get(name);
    return info ? show(info.table, info.ttl) : <span class="muted">…</span>;
  };
  return [
    { id: "name", title: t("tables.name"), width: 190, grows: true, cell: (name) => <a class="mono strong" href={href(["tables", name])} tabIndex={-1}>{name}</a> },
    { id: "status", title: t("tables.status"), width: 88, cell: described((x) => <Badge tone={x.TableStatus === "ACTIVE" ? "good" : "warn"}>{x.TableStatus}</Badge>) },
    { id: "items", title: t("tables.items"), width: 90, end: true, cell: described((x) => count(x.ItemCount ?? 0)) },
    { id: "bytes", title: t("tables.size"), width: 76, end: true, cell: described((x) => bytes(x.TableSizeBytes ?? 0)) },
    { id: "key", title: t("tables.key"), width: 120, cell: described((x) => <span class="mono">{x.KeySchema.map((k) => k.AttributeName).join(" · ")}</span>) },
    { id: "indexes", title: t("tables.indexes"), width: 130, cell: described((x) => <Indexes table={x} />) },
    { id: "stream", title: t("tables.stream"), width: 92, grows: true, cell: described((x) => <Stream view={x.StreamSpecification?.StreamViewType} />) },
    { id: "ttl", title: t("tables.ttl"), width: 82, cell: described((_, ttl) => (ttl ? <span class="mono">{ttl}</span> : <Nothing />)) },
    { id: "billing", title: t("tables.billing"), width: 92, cell: described((x) => t(billingOf(x) === "PROVISIONED" ? "tables.provisioned" : "tables.onDemand")) },
    { id: "actions", title: t("common.actions"), width: 78, cell: (name) => <Actions name={name} ask={ask} reachable={name === current} /> },
  ];
}

const Nothing = () => <span class="muted">–</span>;

function Stream({ view }: { view: string | undefined }) {
  return view ? <span title={view}>{view}</span> : <Nothing />;
}

function Indexes({ table }: { table: TableDescription }) {
  const names = indexesOf(table).map((i) => i.IndexName);
  if (names.length === 0) return <Nothing />;
  return <span title={names.join("\n")}><Badge>{names.length}</Badge> <span class="mono muted">{names.join(", ")}</span></span>;
}

function Actions({ name, ask, reachable }: { name: string; ask: (q: Question) => void; reachable: boolean }) {
  return (
    <span class="tight">
      <Button icon="erase" kind="quiet" untabbed={!reachable} label={t("tables.purgeOf", { table: name })} disabled={!writable.value} onClick={() => ask({ kind: "purge", table: name })} />
      <Button icon="trash" kind="quiet" untabbed={!reachable} label={t("tables.deleteOf", { table: name })} disabled={!writable.value} onClick={() => ask({ kind: "delete", table: name })} />
    </span>
  );
}

function Removal({ kind, table, onClose }: Question & { onClose: () => void }) {
  const [done, setDone] = useState(0);
  const [ends] = useState(() => new AbortController());
  const has = tableInfos.value.get(table)?.table.ItemCount ?? 0;
  useLayoutEffect(() => () => ends.abort(), []); // a dialog that is closed purges no more
  const run = async () => {
    if (kind === "delete") {
      await call("DeleteTable", { TableName: table });
      await gone(table);
      toast(t("tables.deleted", { table }));
    } else {
      const n = await purge(table, setDone, ends.signal);
      toast(t("tables.purged", { table, count: n }));
    }
    await loadTables();
  };
  return (
    <ConfirmByWord
      title={t(kind === "delete" ? "tables.deleteTitle" : "tables.purgeTitle", { table })}
      text={done ? t("tables.purging", { count: done }) : kind === "delete" ? t("tables.deleteText") : t("tables.purgeText", { count: has })}
      word={table}
      action={t(kind === "delete" ? "tables.delete" : "tables.purge")}
      run={run}
      onClose={onClose}
    />
  );
}

// gone waits until a table is no longer there.
async function gone(table: string): Promise<void> {
  for (;;) {
    try {
      await call("DescribeTable", { TableName: table });
    } catch (error) {
      if (isError(error, "ResourceNotFoundException")) return;
      throw error;
    }
    await new Promise((done) => setTimeout(done, 500));
  }
}
