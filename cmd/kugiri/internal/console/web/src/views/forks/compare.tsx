// Compare shows how two states differ: forks, snapshots and the present, table by table and item by
// item.

import { useEffect, useState } from "preact/hooks";
import { admin, type Overview } from "../../api/admin";
import { explain } from "../../api/dynamodb";
import type { ItemComparison, State, TableComparison } from "../../api/forks";
import { brief } from "../../api/values";
import { Badge, Button, Empty, Loading, Problem, Select } from "../../components/controls";
import { Grid, type Column } from "../../components/grid";
import { Icon } from "../../components/icon";
import { ItemDiff } from "../../components/item_diff";
import { Panel } from "../../components/panel";
import { count, t } from "../../i18n";
import { href, route, setQuery } from "../../state/route";
import { forks, scopePath } from "../../state/scope";
import { kugiri } from "../../state/session";

type Side = "before" | "after";

export function Compare() {
  const query = route.value.query;
  const [round, setRound] = useState(0);
  const [before, after] = [stateOf("before"), stateOf("after")];
  const { tables, error } = useTables(before, after, round);
  const [active, setActive] = useState(0);
  const opened = tables?.find((x) => x.table === query.get("table") && x.region === (query.get("region") ?? ""));
  return (
    <section class="page">
      <header class="pagehead">
        <nav class="crumbs" aria-label={t("nav.crumbs")}>
          <a href={href(["forks"])}>{t("forks.title")}</a>
          <Icon name="right" />
        </nav>
        <h1>{t("compare.title")}</h1>
      </header>
      <div class="toolbar compare">
        <Chooser side="before" state={before} />
        <Button icon="swap" kind="quiet" label={t("compare.swap")} onClick={() => setQuery({ ...queryOf("before", after), ...queryOf("after", before) })} />
        <Chooser side="after" state={after} />
        <div class="actions"><Button icon="refresh" kind="quiet" label={t("common.refresh")} onClick={() => setRound(round + 1)} /></div>
      </div>
      <Problem text={error} onRetry={() => setRound(round + 1)} />
      {!tables && !error && <Loading />}
      {tables?.length === 0 && <Empty title={t("compare.same")}><p>{t("compare.sameHint")}</p></Empty>}
      {tables && tables.length > 0 && (
        <div class="split compares">
          <Grid
            label={t("compare.tables")}
            rows={tables}
            columns={columns()}
            rowKey={(x) => `${x.region} ${x.table}`}
            rowClass={(x) => (x === opened ? "opened" : "")}
            active={active}
            onActive={setActive}
            onOpen={(x) => setQuery({ table: x.table, region: x.region }, true)}
          />
          {opened && <Items key={`${opened.region} ${opened.table} ${round}`} before={before} after={after} table={opened} />}
        </div>
      )}
    </section>
  );
}

// stateOf returns the state that the address names for a side.
function stateOf(side: Side): State {
  const query = route.value.query;
  const snapshot = query.get(side + "At");
  return { accessKey: query.get(side) ?? accessKeys()[0] ?? "", ...(snapshot ? { snapshot } : {}) };
}

function queryOf(side: Side, s: State) {
  return { [side]: s.accessKey, [side + "At"]: s.snapshot };
}

// accessKeys lists the access keys that see tables of their own: "" is for all callers.
function accessKeys(): string[] {
  return [...new Set([...(kugiri.value?.namespaces ?? []).map((n) => n.accessKey), ...forks.value.map((f) => f.accessKey)])];
}

function Chooser({ side, state }: { side: Side; state: State }) {
  const [snapshots, setSnapshots] = useState<string[]>([]);
  const scope = forks.value.some((f) => f.accessKey === state.accessKey) ? state.accessKey : "";
  useEffect(() => {
    let gone = false;
    setSnapshots([]); // those of the scope before
    admin<Overview>("GET", scopePath(scope)).then((o) => gone || setSnapshots(o.snapshots.map((s) => s.name)), () => {});
    return () => {
      gone = true;
    };
  }, [scope]);
  const known = accessKeys();
  const keys = known.includes(state.accessKey) ? known : [state.accessKey, ...known];
  const names = state.snapshot && !snapshots.includes(state.snapshot) ? [state.snapshot, ...snapshots] : snapshots;
  return (
    <fieldset class="state">
      <legend>{t(`compare.${side}`)}</legend>
      <Select
        label={t("identity.accessKey")}
        hideLabel
        value={state.accessKey}
        options={keys.map((k) => ({ value: k, text: k || t("compare.all") }))}
        onChange={(accessKey) => setQuery(queryOf(side, { accessKey }))}
      />
      <Select
        label={t("forks.state")}
        hideLabel
        value={state.snapshot ?? ""}
        options={[{ value: "", text: t("forks.now") }, ...names.map((s) => ({ value: s, text: s }))]}
        onChange={(snapshot) => setQuery(queryOf(side, { accessKey: state.accessKey, snapshot }))}
      />
    </fieldset>
  );
}

function useTables(before: State, after: State, round: number) {
  const [found, setFound] = useState<{ tables?: TableComparison[]; error: string }>({ error: "" });
  useEffect(() => {
    let gone = false;
    setFound({ error: "" });
    admin<{ tables: TableComparison[] }>("POST", "compare", { before, after }).then(
      ({ tables }) => !gone && setFound({ tables, error: "" }),
      (e: unknown) => !gone && setFound({ error: explain(e) }),
    );
    return () => {
      gone = true;
    };
  }, [JSON.stringify([before, after]), round]);
  return found;
}

function columns(): Column<TableComparison>[] {
  const number = (id: "added" | "changed" | "removed", tone: string): Column<TableComparison> => ({
    id,
    title: t(`compare.${id}`),
    width: 84,
    end: true,
    cell: (x) => <span class={x[id] ? `strong ${tone}` : "muted"}>{count(x[id])}</span>,
  });
  return [
    { id: "table", title: t("tables.name"), width: 150, grows: true, cell: (x) => <TableName table={x} /> },
    { id: "region", title: t("identity.region"), width: 96, cell: (x) => <span class="muted">{x.region}</span> },
    number("added", "is-good"),
    number("changed", "is-warn"),
    number("removed", "is-bad"),
  ];
}

function TableName({ table: x }: { table: TableComparison }) {
  return (
    <>
      <span class="mono strong">{x.table}</span>
      {!x.before && <Badge tone="good">{t("compare.newTable")}</Badge>}
      {!x.after && <Badge tone="bad">{t("compare.noTable")}</Badge>}
    </>
  );
}

const pageSize = 50;

// Items lists the items of a table that differ, a page at a time.
function Items({ before, after, table }: { before: State; after: State; table: TableComparison }) {
  const [items, setItems] = useState<ItemComparison[]>([]);
  const [next, setNext] = useState<string | undefined>("");
  const [error, setError] = useState("");
  const read = async () => {
    try {
      const request = { before, after, region: table.region, table: table.table, limit: pageSize, ...(next ? { from: next } : {}) };
      const page = await admin<{ items: ItemComparison[]; next?: string }>("POST", "compare/items", request);
      setItems([...items, ...page.items]);
      setNext(page.next);
      setError("");
    } catch (e) {
      setError(explain(e));
    }
  };
  useEffect(() => void read(), []);
  const close = () => setQuery({ table: undefined, region: undefined }, true);
  return (
    <Panel label={t("compare.items")} onClose={close}>
      <header>
        <h2 class="mono">{table.table}</h2>
        <Button icon="close" kind="quiet" label={t("common.close")} onClick={close} />
      </header>
      <div class="panel-body">
        <Problem text={error} onRetry={() => void read()} />
        {items.map((x) => (
          <ComparedItem key={JSON.stringify(x.key)} item={x} open={items.length <= 3} />
        ))}
        {next && <Button onClick={() => void read()}>{t("compare.more", { count: items.length })}</Button>}
      </div>
    </Panel>
  );
}

function ComparedItem({ item: x, open: first }: { item: ItemComparison; open: boolean }) {
  const [open, setOpen] = useState(first);
  const kind = !x.before ? "added" : !x.after ? "removed" : "changed";
  const tones = { added: "good", removed: "bad", changed: "warn" } as const;
  return (
    <details class="compared" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        <Badge tone={tones[kind]}>{t(`compare.${kind}`)}</Badge>
        <span class="mono">{Object.values(x.key).map((v) => brief(v, 80)).join(" · ")}</span>
      </summary>
      {open && <ItemDiff before={x.before ?? {}} after={x.after ?? {}} />}
    </details>
  );
}
