// ItemPanel shows one item beside the others: its attributes, its JSON, and where its keys lead.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call, explain, type TableDescription } from "../api/dynamodb";
import { idOf, type Edit } from "../api/edits";
import { hueOf } from "../api/entities";
import { collections, parentKeys, parents } from "../api/follow";
import { plainOf } from "../api/plain";
import { keyOf, partitionKeys, type Source } from "../api/schema";
import { attribute, brief, keyText, sameKey, type Item } from "../api/values";
import { t } from "../i18n";
import { identity } from "../state/identity";
import { knownOf, learned, readingBegins } from "../state/known";
import { href, route } from "../state/route";
import { Button, Choice, Loading, Problem } from "./controls";
import { Icon } from "./icon";
import type { ItemCodeProps } from "./item_code";
import { late } from "./late";
import { Panel } from "./panel";
import { copy } from "./toast";
import { ItemTree } from "./value";

interface Props {
  table: TableDescription;
  itemKey: Item;
  loaded: Item[];
  entity: (item: Item) => string;
  edit?: Edit | undefined; // that waits to be sent
  actions?: (item: Item) => ComponentChildren; // what can be done with the item
  onClose: () => void;
}

const ItemCode = late<ItemCodeProps>("ItemCode");

const forms = ["tree", "json", "plain", "code"] as const;
type Form = (typeof forms)[number];

export function ItemPanel({ table, itemKey, loaded, entity, edit, actions, onClose }: Props) {
  const [form, setForm] = useState<Form>("tree");
  const { item: read, error, units, retry } = useItem(table, itemKey, loaded);
  const item = edit?.mine ?? read ?? edit?.base;
  const names = table.KeySchema.map((k) => k.AttributeName);
  const text = !item ? "" : form === "plain" ? plainOf(item, true) : JSON.stringify(item, null, 2);
  return (
    <Panel label={t("item.title")} onClose={onClose}>
      <header>
        <h2 class="mono">{names.map((n) => (attribute(itemKey, n) ? brief(attribute(itemKey, n)!, 80) : "")).join(" · ")}</h2>
        {item && entity(item) && <span class={`entity hue hue-${hueOf(entity(item))}`}>{entity(item)}</span>}
        {item && actions?.(item)}
        <Button icon="copy" kind="quiet" label={t("item.copy")} onClick={() => void copy(text, t("common.copied"))} />
        <Button icon="close" kind="quiet" label={t("common.close")} onClick={onClose} />
      </header>
      <div class="panel-body">
        <Choice
          label={t("item.form")}
          value={form}
          options={forms.map((one) => ({ value: one, text: one === "json" ? "JSON" : t(`item.${one}`) }))}
          onChange={setForm}
        />
        {edit && <p class="unsent">{t(edit.mine ? "item.unsent" : "item.unsentDeletion")}</p>}
        {!edit && <Problem text={error} onRetry={retry} />}
        {!item && !error && <Loading />}
        {item && form === "tree" && <ItemTree item={item} keys={names} />}
        {item && form === "code" && <ItemCode table={table} item={item} edit={edit} />}
        {item && (form === "json" || form === "plain") && <pre class="mono" tabIndex={0}>{text.length > jsonLimit ? text.slice(0, jsonLimit) + "…" : text}</pre>}
        {item && <Follow table={table} item={item} />}
        {units !== undefined && <p class="muted cost-line">{t("item.cost", { units: String(units) })}</p>}
      </div>
    </Panel>
  );
}

const jsonLimit = 200_000; // characters; all of it can be copied

interface Answer {
  of: string; // the item
  error: string;
  read: boolean;
  units?: number; // capacity units that it took
}

// useItem reads a whole item: one of an index may have only some of its attributes. It reads it again after
// each write, then what a write before has made of it.
function useItem(table: TableDescription, key: Item, loaded: Item[]) {
  const names = table.KeySchema.map((k) => k.AttributeName);
  const of = JSON.stringify([table.TableName, key, identity.value]);
  const [answer, setAnswer] = useState<Answer>({ of, error: "", read: false });
  const known = knownOf(table);
  const last = useRef(0); // the number of the last read
  const read = () => {
    const own = ++last.current;
    const began = readingBegins();
    const input = { TableName: table.TableName, Key: keyOf(table.KeySchema, key), ReturnConsumedCapacity: "TOTAL", ...(known.writes > 0 ? { ConsistentRead: true } : {}) };
    call<{ Item?: Item; ConsumedCapacity?: { CapacityUnits: number } }>("GetItem", input).then(
      (out) => {
        if (identity.peek() !== as) return; // it is another table's
        learned(table, key, out.Item, began);
        if (own === last.current) setAnswer({ of, error: "", read: true, units: out.ConsumedCapacity?.CapacityUnits ?? 0 });
      },
      (e: unknown) => own === last.current && setAnswer({ of, error: explain(e), read: false }),
    );
  };
  const as = identity.value;
  useEffect(read, [of, known.writes]);
  const version = known.versions.get(idOf(table, key));
  const listed = route.value.query.get("index") ? undefined : loaded.find((one) => sameKey(one, key, names));
  const item = version ? version.item : listed;
  const { error, read: isRead, units }: Answer = answer.of === of ? answer : { of, error: "", read: false };
  return { item, error: error || (isRead && !item ? t("item.gone") : ""), units, retry: read };
}

// Follow has links to the item collections of an item and, once somebody asks for them, to its parents.
function Follow({ table, item }: { table: TableDescription; item: Item }) {
  const text = JSON.stringify(keyOf(table.KeySchema, item));
  const of = table.TableName + text;
  const [asked, setAsked] = useState<{ of: string; found?: Item[]; error?: string }>({ of: "" });
  const { found, error } = asked.of === of ? asked : { found: undefined, error: undefined };
  const keys = parentKeys(table, item).length;
  const look = () => {
    const answer = (to: { found: Item[] } | { error: string }) => setAsked((last) => (last.of === of ? { of, ...to } : last));
    setAsked({ of });
    parents(table, item).then((some) => answer({ found: some }), (e: unknown) => answer({ error: explain(e) }));
  };
  const names = table.KeySchema.map((k) => k.AttributeName);
  return (
    <nav class="follow" aria-label={t("item.follow")}>
      <h3>{t("item.follow")}</h3>
      {collections(table, item).map((s) => (
        <a key={s.index ?? ""} href={collectionHref(table, s, item)}>
          <Icon name={s.index ? "link" : "group"} />
          {s.index ? t("item.inIndex", { index: s.index }) : t("item.collection")}
          <span class="mono muted">{partitionKeys(s.keys).map((n) => `${n} = ${brief(attribute(item, n)!, 60)}`).join(", ")}</span>
        </a>
      ))}
      {(table.VectorIndexes ?? []).filter((index) => attribute(item, index.VectorAttribute?.AttributeName ?? "")).map((index) => (
        <a key={"like " + index.IndexName} href={href(["tables", table.TableName, "vectors"], { index: index.IndexName, like: text })}>
          <Icon name="query" />
          {t("vectors.like")}
          <span class="mono muted">{index.IndexName}</span>
        </a>
      ))}
      {keys > 0 && !found && <Button icon="left" kind="quiet" title={t("item.parentsCost", { count: keys })} onClick={look}>{t("item.parents")}</Button>}
      <Problem text={error ?? ""} />
      {found?.length === 0 && <p class="muted">{t("item.noParents")}</p>}
      {found?.map((one) => (
        <a key={JSON.stringify(keyOf(table.KeySchema, one))} href={parentHref(table, one)}>
          <Icon name="left" />
          {t("item.parent")}
          <span class="mono muted">{names.map((n) => brief(attribute(one, n)!, 60)).join(" · ")}</span>
        </a>
      ))}
    </nav>
  );
}

function collectionHref(table: TableDescription, source: Source, item: Item): string {
  const values = Object.fromEntries(partitionKeys(source.keys).map((n, i) => [`p${i}`, keyText(attribute(item, n))]));
  return href(["tables", table.TableName, "items"], { index: source.index, ...values, item: JSON.stringify(keyOf(table.KeySchema, item)) });
}

function parentHref(table: TableDescription, parent: Item): string {
  return href(["tables", table.TableName, "items"], {
    p0: keyText(attribute(parent, partitionKeys(table.KeySchema)[0]!)),
    item: JSON.stringify(keyOf(table.KeySchema, parent)),
  });
}
