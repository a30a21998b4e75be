// Items shows the items of a table or an index.

import { useEffect, useRef, useState } from "preact/hooks";
import { call, explain, type Page } from "../api/dynamodb";
import { keyOf, sourcesOf, type Source } from "../api/schema";
import type { Item } from "../api/values";
import { Button, Empty, Problem, Select } from "../components/controls";
import { Grid, type Column } from "../components/grid";
import { ValueCell } from "../components/value";
import { t } from "../i18n";
import type { TableViewProps } from "../registry";
import { route, setQuery } from "../state/route";
import { identity } from "../state/identity";

const firstPage = 100; // what is shown first is read fast
const nextPages = 500;

export default function Items({ table }: TableViewProps) {
  const sources = sourcesOf(table);
  const index = route.value.query.get("index") ?? "";
  const source = sources.find((s) => (s.index ?? "") === index) ?? sources[0]!;
  const pages = usePages(table.TableName, source);
  const [active, setActive] = useState(0);
  return (
    <div class="view">
      <div class="toolbar">
        <Select
          label={t("items.source")}
          hideLabel
          value={source.index ?? ""}
          options={sources.map((s) => ({ value: s.index ?? "", text: s.index ?? table.TableName }))}
          onChange={(to) => setQuery({ index: to || undefined })}
        />
        <span class="muted">{t("items.loaded", { count: pages.items.length, total: table.ItemCount ?? 0 })}</span>
        <div class="actions">
          <Button icon="refresh" kind="quiet" label={t("common.refresh")} onClick={pages.restart} />
        </div>
      </div>
      <Problem text={pages.error} onRetry={pages.more} />
      {pages.items.length === 0 && pages.done ? (
        <Empty title={t("items.none")} />
      ) : (
        <Grid
          label={t("items.title")}
          rows={pages.items}
          total={pages.done ? pages.items.length : table.ItemCount ?? 0}
          columns={columnsOf(table.KeySchema.map((k) => k.AttributeName), pages.items)}
          rowKey={(item, at) => at + JSON.stringify(keyOf(table.KeySchema, item))}
          active={active}
          onActive={setActive}
          onEnd={pages.more}
        />
      )}
    </div>
  );
}

function columnsOf(keys: string[], items: Item[]): Column<Item>[] {
  const counts = new Map<string, number>();
  for (const item of items) for (const name of Object.keys(item)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const others = [...counts.keys()].filter((name) => !keys.includes(name)).sort((a, b) => counts.get(b)! - counts.get(a)!).slice(0, 24);
  return [...keys, ...others].map((name) => ({
    id: name, title: name, width: keys.includes(name) ? 220 : 160, cell: (item) => <ValueCell value={item[name]} />,
  }));
}

interface Pages {
  items: Item[];
  done: boolean;
  error: string;
  more: () => void;
  restart: () => void;
}

// usePages reads the items of a source, a page whenever more are wanted.
function usePages(table: string, source: Source): Pages {
  const [state, setState] = useState<{ items: Item[]; from?: Item; done: boolean; error: string }>({ items: [], done: false, error: "" });
  const [round, setRound] = useState(0);
  const reading = useRef<AbortController | undefined>(undefined);
  const read = async (items: Item[], from?: Item) => {
    const own = (reading.current = new AbortController());
    try {
      const page = await call<Page>("Scan", {
        TableName: table,
        Limit: items.length ? nextPages : firstPage,
        ...(source.index ? { IndexName: source.index } : {}),
        ...(from ? { ExclusiveStartKey: from } : {}),
      }, { signal: own.signal });
      setState({ items: [...items, ...page.Items], done: !page.LastEvaluatedKey, error: "", ...(page.LastEvaluatedKey ? { from: page.LastEvaluatedKey } : {}) });
    } catch (error) {
      if (!own.signal.aborted) setState((s) => ({ ...s, error: explain(error) }));
    } finally {
      if (reading.current === own) reading.current = undefined;
    }
  };
  const { accessKey, region } = identity.value;
  useEffect(() => {
    setState({ items: [], done: false, error: "" });
    void read([]);
    return () => reading.current?.abort();
  }, [table, source.index, accessKey, region, round]);
  return {
    items: state.items, done: state.done, error: state.error,
    more: () => {
      if (!state.done && !reading.current && state.from) void read(state.items, state.from);
    },
    restart: () => setRound(round + 1),
  };
}
