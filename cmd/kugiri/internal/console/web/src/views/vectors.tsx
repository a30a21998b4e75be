// Vectors searches a vector index: by the vector of an item, or by numbers that somebody pastes.

import { useEffect, useRef, useState } from "preact/hooks";
import { call, explain, type IndexDescription, type TableDescription } from "../api/dynamodb";
import { readItem } from "../api/edits";
import { Placeholders } from "../api/placeholders";
import { keyOf, typeOf } from "../api/schema";
import { typedValue } from "../api/typed";
import { attribute, brief, keyText, type AttributeValue, type Item, type TypeName } from "../api/values";
import { useColumns } from "../components/columns";
import { Button, Choice, Empty, Problem, Select, TextField } from "../components/controls";
import { Grid } from "../components/grid";
import { ItemPanel } from "../components/item_panel";
import { decimal, t } from "../i18n";
import { route, setQuery } from "../state/route";
import { useRunKey } from "../state/run_key";
import type { TableViewProps } from "./props";

interface Result {
  item: Item;
  score: number;
}

type Texts = { [attribute: string]: string };

interface Answer {
  results: Result[];
  units: number;
}

export default function Vectors({ table }: TableViewProps) {
  const query = route.value.query;
  const indexes = table.VectorIndexes ?? [];
  const index = indexes.find((one) => one.IndexName === query.get("index")) ?? indexes[0];
  if (!index) return <Empty title={t("vectors.none")}><p>{t("vectors.noneHint")}</p></Empty>;
  return <Search key={index.IndexName} table={table} index={index} indexes={indexes} />;
}

interface SearchProps {
  table: TableDescription;
  index: IndexDescription;
  indexes: IndexDescription[];
}

function Search({ table, index, indexes }: SearchProps) {
  const query = route.value.query;
  const like = parse(query.get("like"));
  const [numbers, setNumbers] = useState("");
  const [typed, setTyped] = useState<Texts>({}); // into the fields of the partition and the filters
  const [partition, setPartition] = useState<Texts>({}); // of the item
  const filters = { ...partition, ...typed };
  const [top, setTop] = useState("10");
  const [answer, setAnswer] = useState<Answer>();
  const [error, setError] = useState("");
  const [running, setRunning] = useState(false);
  const last = useRef(0);
  const latest = useRef(typed);
  latest.current = typed;
  const run = async () => {
    const own = ++last.current;
    const isLast = () => own === last.current; // else the answer is that to an older question
    setRunning(true);
    setError("");
    try {
      const item = like && (await readItem(table, like));
      const vector = like ? vectorOf(index, item) : parseNumbers(numbers, index.Dimensions ?? 0);
      const within = item ? partitionOf(index, item) : {};
      if (!isLast()) return;
      setPartition(within);
      const found = await search(table, index, vector, top, { ...within, ...latest.current });
      if (!isLast()) return;
      setAnswer(found);
    } catch (e) {
      if (!isLast()) return;
      setAnswer(undefined);
      setError(explain(e));
    }
    setRunning(false);
  };
  useEffect(() => {
    setPartition({}); // that of the item before
    if (!like) return;
    const others = Object.fromEntries(Object.entries(latest.current).filter(([name]) => !partitionNames(index).includes(name)));
    setTyped((latest.current = others)); // the item is in a partition of its own
    void run(); // a link to what is like an item
  }, [query.get("like")]);
  useRunKey(() => void run());
  const schema = index.SearchSchema ?? [];
  return (
    <div class="view">
      <form class="vector-form" onSubmit={(e) => { e.preventDefault(); void run(); }}>
        <div class="line">
          {indexes.length > 1 && (
            <Select label={t("vectors.index")} value={index.IndexName} options={indexes.map((one) => ({ value: one.IndexName, text: one.IndexName }))} onChange={(to) => setQuery({ index: to })} />
          )}
          <TextField label={t("vectors.top")} value={top} onInput={setTop} mono />
          {schema.map((s) => (
            <TextField
              key={s.AttributeName}
              label={s.SearchSchemaElementType === "HASH" ? t("items.partition", { key: s.AttributeName }) : t("vectors.filter", { attribute: s.AttributeName })}
              value={filters[s.AttributeName] ?? ""}
              placeholder={s.SearchSchemaElementType === "HASH" ? "" : t("faults.any")}
              onInput={(to) => setTyped((before) => ({ ...before, [s.AttributeName]: to }))}
              mono
            />
          ))}
        </div>
        <div class="line">
          <Choice
            label={t("vectors.by")}
            value={like ? "item" : "numbers"}
            options={[{ value: "numbers", text: t("vectors.numbers") }, { value: "item", text: t("vectors.item") }]}
            onChange={(to) => to === "numbers" && setQuery({ like: undefined })}
          />
          {like ? (
            <p class="mono">{Object.values(like).map((v) => brief(v, 60)).join(" · ")}</p>
          ) : (
            <TextField label={t("vectors.vector", { count: index.Dimensions ?? 0 })} hideLabel placeholder="[0.12, -0.5, …]" value={numbers} onInput={setNumbers} mono />
          )}
          <Button type="submit" kind="primary" disabled={running}>{t("vectors.search")}</Button>
        </div>
      </form>
      <Problem text={error} />
      {answer ? <Results table={table} index={index} answer={answer} /> : !error && <Empty title={t("query.notRun")}><p>{t("vectors.hint")}</p></Empty>}
    </div>
  );
}

function parse(text: string | null): Item | undefined {
  if (!text) return undefined;
  try {
    return JSON.parse(text) as Item;
  } catch {
    return undefined;
  }
}

// vectorOf returns the vector that an item has for an index.
function vectorOf(index: IndexDescription, item: Item | undefined): AttributeValue[] {
  const value = item && attribute(item, index.VectorAttribute?.AttributeName ?? "");
  if (!value || !("L" in value)) throw new Error(t("vectors.noVector", { attribute: index.VectorAttribute?.AttributeName ?? "" }));
  return value.L;
}

// partitionOf returns the partition of a search in which an item is.
function partitionOf(index: IndexDescription, item: Item): Texts {
  return Object.fromEntries(partitionNames(index).map((name) => [name, keyText(attribute(item, name))]));
}

const partitionNames = (index: IndexDescription) => (index.SearchSchema ?? []).filter((s) => s.SearchSchemaElementType === "HASH").map((s) => s.AttributeName);

/** The numbers of a text: JSON, DynamoDB's JSON, or with spaces, commas or lines between. */
function parseNumbers(text: string, dimensions: number): AttributeValue[] {
  const found = text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? [];
  if (found.length !== dimensions) throw new Error(t("vectors.wrongCount", { count: found.length, wanted: dimensions }));
  return found.map((N) => ({ N }));
}

async function search(table: TableDescription, index: IndexDescription, vector: AttributeValue[], top: string, filters: Texts): Promise<Answer> {
  const to = new Placeholders();
  const conditions = (index.SearchSchema ?? []).flatMap(({ AttributeName: name }) => {
    const text = filters[name] ?? "";
    if (text === "") return [];
    return [`${to.name(name)} = ${to.value(`"${name.replaceAll('"', '""')}"`, typedValue(typeOf(table, name) as TypeName, text))}`];
  });
  const out = await call<{ SearchResults?: { Item: Item; Score: number }[]; ConsumedCapacity?: { CapacityUnits?: number } }>("SearchVectors", {
    TableName: table.TableName, IndexName: index.IndexName, SearchVector: vector, TopK: Number(top), ReturnConsumedCapacity: "TOTAL",
    ...(conditions.length > 0 ? { SearchConditionExpression: conditions.join(" AND ") } : {}), ...to.members(),
  });
  return { results: (out.SearchResults ?? []).map((r) => ({ item: r.Item, score: r.Score })), units: out.ConsumedCapacity?.CapacityUnits ?? 0 };
}

function Results({ table, index, answer }: { table: TableDescription; index: IndexDescription; answer: Answer }) {
  const keys = table.KeySchema.map((k) => k.AttributeName);
  const items = answer.results.map((r) => r.item);
  const columns = useColumns(`${table.TableName} ${index.IndexName}`, keys, items);
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState<Item>();
  useEffect(() => setActive(0), [answer]);
  if (items.length === 0) return <Empty title={t("items.none")} />;
  return (
    <>
      <div class="split">
        <Grid
          label={t("vectors.results")}
          rows={answer.results}
          columns={[
            { id: " score", title: t("vectors.score"), width: 90, end: true, cell: (r) => <span class="mono">{decimal(r.score, 4)}</span> },
            ...columns.columns.map((c) => ({ ...c, cell: (r: Result) => c.cell(r.item) })),
          ]}
          rowKey={(_, at) => String(at)}
          active={active}
          onActive={setActive}
          onOpen={(r) => keys.every((k) => attribute(r.item, k)) && setOpened(keyOf(table.KeySchema, r.item))}
          onResize={columns.resize}
        />
        {opened && <ItemPanel table={table} itemKey={opened} loaded={[]} entity={() => ""} onClose={() => setOpened(undefined)} />}
      </div>
      <div class="status" role="status">
        <span>{t("items.all", { count: items.length })}</span>
        <span>{t(index.DistanceFunction === "DOT_PRODUCT" ? "vectors.higher" : "vectors.lower", { distance: index.DistanceFunction ?? "" })}</span>
      </div>
    </>
  );
}
