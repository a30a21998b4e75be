// A new global index: its form proposes the attributes that items have with their types, and says how many
// items the index will hold.

import { useEffect, useState } from "preact/hooks";
import { call, type Page, type TableDescription } from "../../api/dynamodb";
import { billingOf } from "../../api/schema";
import { attribute, open, type Item } from "../../api/values";
import { Problem } from "../../components/controls";
import { t } from "../../i18n";
import { usePaused } from "../../state/plan";
import { session } from "../../state/session";
import { FieldFault, type Change, type Field, type Values } from "./change";
import { projectionOf, throughputOf, update } from "./table_changes";

const types = ["S", "N", "B"] as const;
type KeyType = (typeof types)[number];

interface KeyAttribute {
  name: string;
  type: KeyType;
  kind: "HASH" | "RANGE";
}

const mostAttributes = 4; // of a partition key, and of a sort key
const each = Array.from({ length: mostAttributes }, (_, i) => i);
const fieldsOf = (part: "partition" | "sort") => each.map((i) => (i === 0 ? part : part + (i + 1)));
const [partitionFields, sortFields] = [fieldsOf("partition"), fieldsOf("sort")];
const keyFields = [...partitionFields, ...sortFields];

/** A new global index. Attributes of its key that the table does not know yet get a type. */
export function newIndex(table: TableDescription): Change {
  const known = new Map(table.AttributeDefinitions.map((a) => [a.AttributeName, a.AttributeType as KeyType]));
  const provisioned = () => billingOf(table) === "PROVISIONED";
  return {
    id: "new-index", title: t("settings.newIndex"), table: table.TableName,
    values: { ...Object.fromEntries(keyFields.flatMap((name) => [[name, ""], [name + "Type", "S"]])), name: "", projection: "ALL", attributes: "", read: "5", write: "5" },
    fields: [
      { name: "name", label: "create.indexName", kind: "text" },
      ...partsOf(partitionFields, "create.indexPartition", "settings.morePartition", known),
      ...partsOf(sortFields, "create.indexSort", "settings.moreSort", known),
      { name: "projection", label: "create.projection", kind: "select", options: ["ALL", "KEYS_ONLY", "INCLUDE"] },
      { name: "attributes", label: "settings.included", kind: "text", when: (v) => v["projection"] === "INCLUDE" },
      { name: "read", label: "create.read", kind: "number", when: provisioned },
      { name: "write", label: "create.write", kind: "number", when: provisioned },
    ],
    follow: followTypes,
    About: ({ values, sample }) => <Holds table={table} keys={keysOf(values, known)} sample={sample} />,
    requests: (v) => {
      const missing = ["name", "partition"].find((name) => !v[name]);
      if (missing) throw new FieldFault(missing, t("settings.nameIndex"));
      const keys = keysOf(v, known);
      return update(table, {
        AttributeDefinitions: keys.map((k) => ({ AttributeName: k.name, AttributeType: k.type })),
        GlobalSecondaryIndexUpdates: [{
          Create: {
            IndexName: v["name"],
            KeySchema: keys.map((k) => ({ AttributeName: k.name, KeyType: k.kind })),
            Projection: projectionOf(v),
            ...(provisioned() ? { ProvisionedThroughput: throughputOf(v) } : {}),
          },
        }],
      });
    },
  };
}

// partsOf has a field for each attribute of a key, the next one once the one before has a name, and its type.
function partsOf(names: string[], first: Field["label"], more: Field["label"], known: Map<string, KeyType>): Field[] {
  return names.flatMap((name, i): Field[] => [
    {
      name, kind: "text", attribute: true, label: i === 0 ? first : more, of: { at: i + 1 },
      ...(name === "partition" ? {} : { hint: "create.optional" }),
      when: (v) => i === 0 || v[names[i - 1]!] !== "",
    },
    { name: name + "Type", label: i > 0 ? "settings.typeOfMore" : names === partitionFields ? "settings.type" : "settings.sortType", of: { at: i + 1 }, kind: "select", options: [...types], when: (v) => v[name] !== "" && !known.has(v[name]!) },
  ]);
}

function keysOf(v: Values, known: Map<string, KeyType>): KeyAttribute[] {
  const of = (fields: string[], kind: KeyAttribute["kind"]) =>
    fields.filter((name) => v[name]).map((name) => ({ name: v[name]!, type: known.get(v[name]!) ?? (v[name + "Type"] as KeyType), kind }));
  return [...of(partitionFields, "HASH"), ...of(sortFields, "RANGE")];
}

// followTypes gives an attribute the type that items have it with, once it is named.
function followTypes(v: Values, sample: Item[]): Values {
  const after = { ...v };
  for (const field of keyFields) {
    const name = v[field]!;
    const of = `${sample.length} ${name}`;
    if (v[field + "Of"] === of) continue; // a type that somebody chose stays
    after[field + "Of"] = of;
    const counts = typesOf(name, sample);
    after[field + "Type"] = types.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0]!;
  }
  return after;
}

// typesOf counts the types with which items have an attribute.
function typesOf(name: string, sample: Item[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of sample) {
    const value = attribute(item, name);
    if (value) counts.set(open(value)[0], (counts.get(open(value)[0]) ?? 0) + 1);
  }
  return counts;
}

// Holds says how many items the index will hold, and warns of attributes that items have with other types: the
// index leaves these items out, and refuses that they are written.
function Holds({ table, keys, sample }: { table: TableDescription; keys: KeyAttribute[]; sample: Item[] }) {
  const counted = useCount(table.TableName, keys);
  return (
    <section class="index-holds" role="status" aria-label={t("settings.holdsLabel")}>
      {keys.map((k) => <Problem key={k.name} text={warningOf(k, sample)} />)}
      {keys.length > 0 && <p>{counted ? t(counted.all ? "settings.holds" : "settings.holdsOf", { count: counted.held, total: counted.read }) : t("common.loading")}</p>}
    </section>
  );
}

function warningOf({ name, type }: KeyAttribute, sample: Item[]): string {
  const counts = typesOf(name, sample);
  const others = [...counts].filter(([of]) => of !== type);
  if (others.length === 0) return sample.length > 0 && counts.size === 0 ? t("settings.noneHas", { name, count: sample.length }) : "";
  const list = others.map(([of, n]) => `${t(`type.${of as "S"}`)}: ${n}`).join(", ");
  return t("settings.otherType", { name, type: t(`type.${type}`), list, count: sample.length });
}

interface Counted {
  held: number;
  read: number;
  all: boolean; // all items of the table were read
}

const mostPages = 50; // of 1 MB each, on a server that nobody pays for

// useCount counts the items that have the key of an index: of the first page only where reading costs.
function useCount(table: string, keys: KeyAttribute[]): Counted | undefined {
  const [state, setState] = useState<{ of: string; counted?: Counted }>({ of: "" });
  const of = usePaused(JSON.stringify(keys));
  useEffect(() => {
    if (of === "[]") return;
    const ends = new AbortController();
    setState({ of });
    countOf(table, JSON.parse(of) as KeyAttribute[], ends.signal).then((counted) => setState({ of, counted }), () => {}); // it has ended, or may not be read
    return () => ends.abort();
  }, [of]);
  return state.of === JSON.stringify(keys) ? state.counted : undefined;
}

async function countOf(table: string, keys: KeyAttribute[], signal: AbortSignal): Promise<Counted> {
  const sized = keys.some((k) => k.type !== "N"); // an empty text is no key
  const terms = keys.map((k, i) => `attribute_type(#${i}, :${i})` + (k.type === "N" ? "" : ` AND size(#${i}) > :none`));
  const input = {
    TableName: table, Select: "COUNT", FilterExpression: terms.join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(keys.map((k, i) => [`#${i}`, k.name])),
    ExpressionAttributeValues: { ...Object.fromEntries(keys.map((k, i) => [`:${i}`, { S: k.type }])), ...(sized ? { ":none": { N: "0" } } : {}) },
  };
  const counted = { held: 0, read: 0, all: false };
  let from: Item | undefined;
  for (let pages = session.peek()?.readOnly ? 1 : mostPages; pages > 0 && !counted.all; pages--) {
    const page = await call<Page & { Count: number }>("Scan", { ...input, ...(from ? { ExclusiveStartKey: from } : {}) }, { signal });
    counted.held += page.Count;
    counted.read += page.ScannedCount;
    from = page.LastEvaluatedKey;
    counted.all = !from;
  }
  return counted;
}
