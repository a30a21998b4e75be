// Cache shows what the accelerator's caches hold and how old it is, and empties them.

import { useState } from "preact/hooks";
import { admin } from "../../api/admin";
import { explain } from "../../api/dynamodb";
import { plainItem, type CacheEntry, type CacheInfo, type CacheStats } from "../../api/cache";
import { Badge, Button, Empty, Loading, Problem } from "../../components/controls";
import { copy } from "../../components/toast";
import { bytes, count, t } from "../../i18n";
import { instant } from "../../state/time";
import { scopePath, shownScope, usePolled } from "../../state/scope";
import { writable } from "../../state/session";

const every = 1500; // milliseconds

export default function Cache() {
  const path = `${scopePath(shownScope.value)}cache`;
  const { data, error, refresh } = usePolled<CacheInfo>(path, every);
  const [problem, setProblem] = useState("");
  const empty = () => admin("DELETE", path).then(() => (setProblem(""), refresh()), (e: unknown) => setProblem(explain(e)));
  return (
    <section class="page">
      <header class="pagehead">
        <h1>{t("cache.title")}</h1>
        <div class="actions">
          <Button icon="erase" disabled={!writable.value || !data || data.entries.length === 0} onClick={() => void empty()}>{t("cache.empty")}</Button>
        </div>
      </header>
      <Problem text={problem} />
      <div class="scroll explorations">
        {!data && !error && <Loading />}
        {!data && error && (isOff(error) ? <Empty title={t("cache.off")}><p>{t("cache.offHint")}</p><Button icon="copy" onClick={() => void copy(command, t("common.copied"))}>{t("cache.copyCommand")}</Button></Empty> : <Problem text={error} />)}
        {data && data.entries.length === 0 && <Empty title={t("cache.none")}><p>{t("cache.noneHint")}</p></Empty>}
        {data && data.entries.length > 0 && <Entries list={data.entries} />}
        {data && data.tables.length > 0 && <Stats list={data.tables} />}
      </div>
    </section>
  );
}

const command = "kugiri serve --console --dax-port 8111";

// isOff reports whether an error says that the server has no accelerator: it names the flag that starts one.
const isOff = (error: string) => error.includes("--dax-port");

function Entries({ list }: { list: CacheEntry[] }) {
  return (
    <section class="sums" aria-label={t("cache.entries")}>
      <h2>{t("cache.entries")}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("cache.age")}</th>
            <th scope="col">{t("cache.table")}</th>
            <th scope="col">{t("cache.what")}</th>
            <th scope="col" class="end">{t("cache.node")}</th>
            <th scope="col" class="end">{t("cache.size")}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((x) => (
            <tr key={JSON.stringify([x.owner, x.region, x.node, x.cache, x.table, x.key, x.request])}>
              <td class="time" title={instant(x.written)}>{t("cache.seconds", { count: count(Math.round(x.age)) })}</td>
              <td class="mono">{x.table}</td>
              <td>
                <span class="mono">{x.cache === "item" ? plainItem(x.key ?? {}) : `${x.operation} ${JSON.stringify(x.request)}`}</span>
                {x.missing && <Badge>{t("cache.missing")}</Badge>}
              </td>
              <td class="end">{count(x.node)}</td>
              <td class="end">{bytes(x.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Stats({ list }: { list: CacheStats[] }) {
  return (
    <section class="sums" aria-label={t("cache.counts")}>
      <h2>{t("cache.counts")}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("cache.table")}</th>
            <th scope="col" class="end">{t("cache.itemHits")}</th>
            <th scope="col" class="end">{t("cache.itemMisses")}</th>
            <th scope="col" class="end">{t("cache.queryHits")}</th>
            <th scope="col" class="end">{t("cache.queryMisses")}</th>
            <th scope="col" class="end">{t("cache.evictions")}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((x) => (
            <tr key={x.table}>
              <td class="mono">{x.table}</td>
              <td class="end">{count(x.itemHits)}</td>
              <td class="end">{count(x.itemMisses)}</td>
              <td class="end">{count(x.queryHits)}</td>
              <td class="end">{count(x.queryMisses)}</td>
              <td class="end">{count(x.itemEvictions + x.queryEvictions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
