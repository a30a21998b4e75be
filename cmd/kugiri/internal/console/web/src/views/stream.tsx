// Stream shows the records of a table's stream as they come.

import { useEffect, useState } from "preact/hooks";
import { call, describeTable, type TableDescription } from "../api/dynamodb";
import { brief, keyText, attribute, type Item } from "../api/values";
import { changesOf } from "../api/diff";
import { useAnswer } from "../components/answer";
import { Badge, Button, Choice, Empty, Problem, Select, TextField } from "../components/controls";
import { Grid, type Column } from "../components/grid";
import { ItemDiff } from "../components/item_diff";
import { Panel } from "../components/panel";
import { copy } from "../components/toast";
import { ItemTree } from "../components/value";
import { bytes, moment, t } from "../i18n";
import { href, route, setQuery } from "../state/route";
import { kugiri, writable } from "../state/session";
import type { EventName, From, StreamRecord } from "../state/stream";
import { useTail, type Tail } from "../state/tail";
import type { TableViewProps } from "./props";

export default function Stream({ table, refresh }: TableViewProps) {
  const on = table.StreamSpecification?.StreamEnabled ?? false;
  return (
    <div class="view">
      {table.LatestStreamArn ? <Records table={table} arn={table.LatestStreamArn} off={on ? null : <SwitchOn table={table} refresh={refresh} />} /> : (
        <Empty title={t("stream.none")}>
          <p>{t("stream.noneHint")}</p>
          <SwitchOn table={table} refresh={refresh} />
        </Empty>
      )}
    </div>
  );
}

const viewTypes = ["NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"] as const;

// SwitchOn switches a stream on. Records show both images unless somebody wants less.
function SwitchOn({ table, refresh }: TableViewProps) {
  const [view, setView] = useState<(typeof viewTypes)[number]>("NEW_AND_OLD_IMAGES");
  const { error, say, fail } = useAnswer();
  const [running, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      await call("UpdateTable", { TableName: table.TableName, StreamSpecification: { StreamEnabled: true, StreamViewType: view } });
      await active(table.TableName);
      say("");
      refresh();
    } catch (e) {
      fail(e);
    } finally {
      setRunning(false);
    }
  };
  return (
    <div class="switch-on">
      <Select label={t("stream.view")} hideLabel value={view} options={viewTypes.map((v) => ({ value: v, text: v }))} onChange={setView} />
      <Button kind="primary" disabled={!writable.value || running} onClick={() => void run()}>{t("stream.switchOn")}</Button>
      <Problem text={error} />
    </div>
  );
}

// active waits until a table can be changed and read.
async function active(name: string): Promise<void> {
  while ((await describeTable(name)).TableStatus !== "ACTIVE") await new Promise((done) => setTimeout(done, 300));
}

function Records({ table, arn, off }: { table: TableDescription; arn: string; off: preact.ComponentChildren }) {
  const query = route.value.query;
  const [paused, setPaused] = useState(false);
  const [follows, setFollows] = useState(true); // the last record stays in sight
  const [at, setAt] = useState(-1);
  const from = fromOf(query.get("from"));
  const tail = useTail(arn, from, paused);
  const records = useFiltered(tail.records, query.get("key") ?? "", query.get("event") as EventName | null);
  const opened = tail.records.find((r) => r.sequence === query.get("record"));
  const last = records.length - 1;
  return (
    <>
      <div class="toolbar">
        <Begin from={from} onChange={() => setFollows(true)} />
        <Filter />
        <div class="actions">
          <Button icon={paused ? "play" : "pause"} pressed={paused} onClick={() => setPaused(!paused)}>{t(paused ? "stream.resume" : "stream.pause")}</Button>
          <Button icon="end" kind="quiet" label={t("stream.follow")} pressed={follows} onClick={() => setFollows(!follows)} />
          <Button icon="erase" kind="quiet" label={t("stream.clear")} onClick={tail.clear} />
        </div>
      </div>
      {off && <div class="notice"><span>{t("stream.off")}</span>{off}</div>}
      <Problem text={tail.error} onRetry={tail.restart} />
      <div class="split" onWheel={(e) => e.deltaY < 0 && setFollows(false)}>
        {records.length === 0 && tail.begun ? (
          <Empty title={t(tail.records.length ? "stream.noneFound" : "stream.quiet")}><p>{t(tail.records.length ? "stream.noneFoundHint" : "stream.quietHint")}</p></Empty>
        ) : (
          <Grid
            label={t("stream.records")}
            rows={records}
            columns={columnsOf(table)}
            rowKey={(r) => r.shard + r.sequence}
            rowClass={(r) => `event-${r.event}` + (r === opened ? " opened" : "")}
            active={follows ? last : Math.min(at, last)}
            onActive={(to) => {
              setAt(to);
              setFollows(to === last);
            }}
            onOpen={(r) => setQuery({ record: r.sequence }, true)}
          />
        )}
        {opened && <RecordPanel table={table} record={opened} />}
      </div>
      <Status tail={tail} shown={records.length} paused={paused} />
    </>
  );
}

const sequenceNumber = /^\d{1,40}$/;

function fromOf(text: string | null): From {
  if (text && sequenceNumber.test(text)) return { sequence: text };
  if (text === "oldest" || text === "newest") return text;
  return kugiri.value ? "oldest" : "newest"; // elsewhere each read costs money
}

// Begin chooses where reading begins.
function Begin({ from, onChange }: { from: From; onChange: () => void }) {
  const given = typeof from === "string" ? "" : from.sequence;
  const [typing, setTyping] = useState(given !== "");
  const [text, setText] = useState(given);
  useEffect(() => {
    setText(given);
    setTyping(given !== "");
  }, [given]);
  const begin = (to: string) => {
    onChange();
    setQuery({ from: to });
  };
  return (
    <form
      class="begin"
      onSubmit={(e) => {
        e.preventDefault();
        if (sequenceNumber.test(text)) begin(text);
      }}
    >
      <Choice
        label={t("stream.from")}
        value={typing || typeof from !== "string" ? "sequence" : from}
        options={(["oldest", "newest", "sequence"] as const).map((one) => ({ value: one, text: t(`stream.${one}`) }))}
        onChange={(to) => {
          setTyping(to === "sequence");
          if (to !== "sequence") begin(to);
        }}
      />
      {typing && (
        <>
          <TextField label={t("stream.number")} hideLabel placeholder={t("stream.number")} value={text} onInput={(v) => setText(v.trim())} mono />
          <Button type="submit" disabled={!sequenceNumber.test(text)}>{t("items.read")}</Button>
        </>
      )}
    </form>
  );
}

const events = ["INSERT", "MODIFY", "REMOVE"] as const;

function Filter() {
  const query = route.value.query;
  return (
    <>
      <div class="filter">
        <TextField label={t("stream.key")} hideLabel placeholder={t("stream.key")} value={query.get("key") ?? ""} onInput={(v) => setQuery({ key: v }, true)} mono />
      </div>
      <div class="events">
        <Select
          label={t("stream.event")}
          hideLabel
          value={query.get("event") ?? ""}
          options={[{ value: "", text: t("stream.all") }, ...events.map((e) => ({ value: e as string, text: e }))]}
          onChange={(v) => setQuery({ event: v }, true)}
        />
      </div>
    </>
  );
}

// useFiltered returns the records whose key contains a text, and that are of an event.
function useFiltered(records: StreamRecord[], key: string, event: EventName | null): StreamRecord[] {
  const wanted = key.toLowerCase();
  return records.filter((r) => (!event || r.event === event) && (!wanted || Object.values(r.keys).some((v) => keyText(v).toLowerCase().includes(wanted))));
}

function columnsOf(table: TableDescription): Column<StreamRecord>[] {
  return [
    { id: "time", title: t("stream.time"), width: 226, cell: (r) => <span class="muted">{moment(r.seconds)}</span> },
    { id: "event", title: t("stream.event"), width: 90, cell: (r) => <EventBadge record={r} /> },
    ...table.KeySchema.map(({ AttributeName: name }): Column<StreamRecord> => ({
      id: name,
      title: name,
      width: 160,
      cell: (r) => <span class="mono">{attribute(r.keys, name) ? brief(attribute(r.keys, name)!) : ""}</span>,
    })),
    { id: "changed", title: t("stream.changed"), width: 180, grows: true, cell: (r) => <Changed record={r} /> },
    { id: "sequence", title: t("stream.number"), width: 200, cell: (r) => <span class="mono muted">{r.sequence}</span> },
  ];
}

const tones = { INSERT: "good", MODIFY: "warn", REMOVE: "bad" } as const;

function EventBadge({ record }: { record: StreamRecord }) {
  return (
    <>
      <Badge tone={tones[record.event]}>{record.event}</Badge>
      {record.expired && <Badge>TTL</Badge>}
    </>
  );
}

// Changed names what a record changed, as far as its images tell.
function Changed({ record: r }: { record: StreamRecord }) {
  if (r.event !== "MODIFY" || !r.before || !r.after) return <span class="muted">{r.event === "MODIFY" ? "–" : ""}</span>;
  const paths = changesOf(r.before, r.after).map((c) => c.path);
  return <span class="mono" title={paths.slice(0, 50).join("\n")}>{paths.slice(0, 20).join(", ")}</span>;
}

type Form = "diff" | "before" | "after" | "json";

function RecordPanel({ table, record: r }: { table: TableDescription; record: StreamRecord }) {
  const [form, setForm] = useState<Form>("diff");
  const names = table.KeySchema.map((k) => k.AttributeName);
  const text = JSON.stringify({ Keys: r.keys, OldImage: r.before, NewImage: r.after }, null, 2);
  const close = () => setQuery({ record: undefined }, true);
  const image = form === "before" ? r.before : r.after;
  return (
    <Panel label={t("stream.record")} onClose={close}>
      <header>
        <EventBadge record={r} />
        <h2 class="mono">{names.map((n) => (attribute(r.keys, n) ? brief(attribute(r.keys, n)!, 80) : "")).join(" · ")}</h2>
        <Button icon="copy" kind="quiet" label={t("item.copy")} onClick={() => void copy(text, t("common.copied"))} />
        <Button icon="close" kind="quiet" label={t("common.close")} onClick={close} />
      </header>
      <div class="panel-body">
        <Choice
          label={t("item.form")}
          value={form}
          options={(["diff", "before", "after", "json"] as const).map((one) => ({ value: one, text: t(`stream.form.${one}`) }))}
          onChange={setForm}
        />
        {form === "diff" && <Difference record={r} />}
        {form === "json" && <pre class="mono" tabIndex={0}>{text}</pre>}
        {(form === "before" || form === "after") && (image ? <ItemTree item={image} keys={names} /> : <p class="muted">{t("stream.noImage")}</p>)}
        <Facts table={table} record={r} />
      </div>
    </Panel>
  );
}

// Difference compares the images: with nothing if the item came or went.
function Difference({ record: r }: { record: StreamRecord }) {
  const nothing: Item = {};
  const before = r.event === "INSERT" ? nothing : r.before;
  const after = r.event === "REMOVE" ? nothing : r.after;
  return before && after ? <ItemDiff before={before} after={after} /> : <p class="muted">{t("stream.noDiff")}</p>;
}

function Facts({ table, record: r }: { table: TableDescription; record: StreamRecord }) {
  return (
    <>
      <dl class="pairs">
        <dt>{t("stream.number")}</dt>
        <dd class="mono">{r.sequence}</dd>
        <dt>{t("stream.shard")}</dt>
        <dd class="mono">{r.shard}</dd>
        <dt>{t("tables.size")}</dt>
        <dd>{bytes(r.size)}</dd>
      </dl>
      <nav class="follow" aria-label={t("item.follow")}>
        <a href={href(["tables", table.TableName, "items"], { item: JSON.stringify(r.keys) })}>{t("stream.item")}</a>
        <a href={href(["tables", table.TableName, "stream"], { from: r.sequence, record: r.sequence })}>{t("stream.fromHere")}</a>
      </nav>
    </>
  );
}

function Status({ tail, shown, paused }: { tail: Tail; shown: number; paused: boolean }) {
  return (
    <div class="status">
      <span role="status">{t(paused ? "stream.paused" : tail.begun ? "stream.live" : "common.loading")}</span>
      <span>{t("stream.count", { count: shown })}</span>
      {shown < tail.records.length && <span>{t("stream.of", { count: tail.records.length })}</span>}
      {tail.left > 0 && <span>{t("stream.left", { count: tail.left })}</span>}
      <span>{t("stream.shards", { count: tail.shards.all, open: tail.shards.open })}</span>
      <span>{t("cost.stream")}</span>
    </div>
  );
}
