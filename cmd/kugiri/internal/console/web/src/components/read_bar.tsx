// ReadBar says what is read: the table or an index, a partition, and a part of it.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TableDescription } from "../api/dynamodb";
import { partitionKeys, sortKeys, typeOf, type Source } from "../api/schema";
import { t } from "../i18n";
import { operators, type Operator } from "../state/read";
import { navigate, route, setQuery, type Query } from "../state/route";
import { Button, Select, TextField } from "./controls";
import { downToList } from "./to_list";

interface Props {
  table: TableDescription;
  sources: Source[];
  source: Source;
  children: ComponentChildren;
}

export function ReadBar({ table, sources, source, children }: Props) {
  const query = route.value.query;
  const partition = partitionKeys(source.keys);
  const sort = sortKeys(source.keys)[0];
  const names = [...partition.map((_, i) => `p${i}`), "op", "s", "s2"];
  const current = Object.fromEntries(names.map((n) => [n, query.get(n) ?? ""]));
  const [draft, setDraft] = useState<Query>(current);
  useEffect(() => setDraft(current), [JSON.stringify(current), source.index]); // the address changed
  const set = (name: string, value: string) => {
    setFault(undefined);
    setDraft({ ...draft, [name]: value });
  };
  const errorOf = (name: string) => (fault?.name === name ? fault.text : "");
  const [fault, setFault] = useState<{ name: string; text: string }>();
  const box = useRef<HTMLFormElement>(null);
  const read = (e?: Event) => {
    e?.preventDefault();
    const found = faultOf(draft, partition, sort);
    setFault(found);
    if (!found) setQuery({ ...draft, item: undefined });
  };
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus(), [fault]);
  const clear = () => {
    setQuery({ ...Object.fromEntries(names.map((n) => [n, undefined])), desc: undefined, item: undefined });
    box.current?.querySelector("input")?.focus(); // the next key is typed there
  };
  const shown = Object.fromEntries(["index", "desc", ...names].map((n) => [n, query.get(n) ?? undefined]));
  const op = (draft["op"] || "=") as Operator;
  // What the Tab key comes to: the buttons, then the fields, then the list. Enter reads.
  return (
    <div class="toolbar reading">
      <div class="actions">
        <Button icon="query" kind="quiet" label={t("query.open")} text={t("query.title")} onClick={() => navigate(["tables", table.TableName, "query"], { ...shown, run: "1" })} />
        {children}
      </div>
      <div class="of-partition">
        <Button disabled={!query.get("p0")} pressed={query.has("desc")} onClick={() => setQuery({ desc: query.has("desc") ? undefined : "1" })}>{t("items.descending")}</Button>
        <Button icon="close" kind="quiet" disabled={!query.get("p0")} label={t("items.clear")} onClick={clear} />
      </div>
      <form ref={box} onSubmit={read} onKeyDown={downToList}>
        <Select
          label={t("items.source")}
          hideLabel
          value={source.index ?? ""}
          options={sources.map((s) => ({ value: s.index ?? "", text: s.index ? `${t(`source.${s.kind}`)}: ${s.index}` : t("source.table") }))}
          onChange={(to) => setQuery({ ...Object.fromEntries(names.map((n) => [n, undefined])), index: to || undefined, item: undefined })}
        />
        {partition.map((name, i) => (
          <TextField
            key={name}
            label={t("items.partition", { key: name })}
            hideLabel
            placeholder={`${name} =`}
            value={draft[`p${i}`] ?? ""}
            error={errorOf(`p${i}`)}
            onInput={(v) => set(`p${i}`, v)}
            mono
          />
        ))}
        {sort && (
          <>
            <Select
              label={t("items.operator")}
              hideLabel
              value={op}
              options={operators.filter((o) => o !== "begins_with" || typeOf(table, sort) !== "N").map((o) => ({ value: o, text: o }))}
              onChange={(v) => set("op", v)}
            />
            <TextField label={t("items.sort", { key: sort })} hideLabel placeholder={sort} value={draft["s"] ?? ""} onInput={(v) => set("s", v)} mono />
            {op === "between" && <TextField label={t("items.sortEnd", { key: sort })} hideLabel placeholder={sort} value={draft["s2"] ?? ""} error={errorOf("s2")} onInput={(v) => set("s2", v)} mono />}
          </>
        )}
        <Button type="submit" untabbed>{t("items.read")}</Button>
      </form>
    </div>
  );
}

// faultOf says what of the fields would be left out of the request, if something would be.
function faultOf(draft: Query, partition: string[], sort: string | undefined): { name: string; text: string } | undefined {
  const at = partition.findIndex((_, i) => !draft[`p${i}`]);
  const some = partition.some((_, i) => draft[`p${i}`]) || (sort !== undefined && Boolean(draft["s"]));
  if (at >= 0 && some) return { name: `p${at}`, text: t("query.partitionMissing", { key: partition[at]! }) };
  if (sort !== undefined && draft["s"] && draft["op"] === "between" && !draft["s2"]) return { name: "s2", text: t("query.endMissing", { key: sort }) };
  return undefined;
}
