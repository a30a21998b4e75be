// Explorations lists the searches for orders of requests that go wrong, with what they have found, and
// opens the pages of failures that tests have written.

import { useState } from "preact/hooks";
import { admin } from "../../api/admin";
import { explain } from "../../api/dynamodb";
import { failureOf, longestPage, type Exploration, type Failure } from "../../api/explorations";
import { Badge, Button, Empty, Loading, Problem } from "../../components/controls";
import { FileDrop } from "../../components/file_drop";
import { Icon } from "../../components/icon";
import { bytes, count, t } from "../../i18n";
import { href, route } from "../../state/route";
import { usePolled } from "../../state/scope";
import { writable } from "../../state/session";
import { instant } from "../../state/time";
import { FailureView } from "./failure";

const every = 1500; // milliseconds

export default function Explorations() {
  const id = route.value.path[1];
  return id === undefined ? <List /> : <One key={id} id={id} />;
}

function List() {
  const { data, error, refresh } = usePolled<{ explorations: Exploration[] }>("explorations", every);
  const [problem, setProblem] = useState("");
  const [opened, setOpened] = useState<{ file: File; failure: Failure }>();
  const open = async (file: File) => {
    const failure = file.size <= longestPage ? failureOf(await file.text()) : undefined;
    setOpened(failure && { file, failure });
    setProblem(failure ? "" : t("explorations.noPage", { file: file.name, most: bytes(longestPage) }));
  };
  const forget = () => admin("DELETE", "explorations").then(refresh, (e: unknown) => setProblem(explain(e)));
  const list = data?.explorations ?? [];
  return (
    <section class="page">
      <header class="pagehead">
        <h1>{t("explorations.title")}</h1>
        <div class="actions">
          <Button disabled={!writable.value || !list.some((x) => x.state !== "running")} onClick={() => void forget()}>{t("explorations.forget")}</Button>
        </div>
      </header>
      <Problem text={problem || error} />
      <div class="scroll explorations">
        {!data && !error && <Loading />}
        {list.length > 0 && <Table list={list} />}
        {data && list.length === 0 && <Empty title={t("explorations.none")}><p>{t("explorations.noneHint")}</p></Empty>}
        <section>
          <h2>{t("explorations.file")}</h2>
          <p class="muted">{t("explorations.fileHint")}</p>
          <FileDrop label={t("explorations.file")} accept=".html" file={opened?.file} onFile={(file) => void open(file)} />
        </section>
        {opened && <FailureView key={opened.failure.html} failure={opened.failure} />}
      </div>
    </section>
  );
}

function Table({ list }: { list: Exploration[] }) {
  return (
    <section class="sums" aria-label={t("explorations.title")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("explorations.test")}</th>
            <th scope="col">{t("explorations.state")}</th>
            <th scope="col" class="end">{t("explorations.runs")}</th>
            <th scope="col">{t("explorations.found")}</th>
            <th scope="col">{t("explorations.began")}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((x) => (
            <tr key={x.id}>
              <td><a class="mono" href={href(["explorations", x.id])}>{x.name}</a></td>
              <td><State of={x} /></td>
              <td class="end">{count(x.runs)}</td>
              <td>{foundBy(x)}</td>
              <td class="muted time">{instant(x.began)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// foundBy lists the kinds of failures, each once.
const foundBy = (x: Exploration) => [...new Set(x.failures)].join(", ") || x.error || "";

const tones = { running: undefined, passed: "good", failed: "bad", error: "warn", closed: "warn" } as const;

function State({ of }: { of: Exploration }) {
  return <Badge tone={tones[of.state]}>{t(`explorations.${of.state}`)}</Badge>;
}

// One shows an exploration: its state while it runs, and what it has found.
function One({ id }: { id: string }) {
  const { data, error, refresh } = usePolled<Exploration>(`explorations/${encodeURIComponent(id)}`, every);
  return (
    <section class="page">
      <header class="pagehead">
        <nav class="crumbs" aria-label={t("nav.crumbs")}>
          <a href={href(["explorations"])}>{t("explorations.title")}</a>
          <Icon name="right" />
        </nav>
        <h1 class="mono">{data?.name ?? id}</h1>
        {data && <State of={data} />}
      </header>
      <Problem text={error} onRetry={() => void refresh()} />
      {data ? (
        <div class="scroll explorations">
          <p>{data.report?.text ?? data.error ?? t("explorations.sofar", { count: data.runs })}</p>
          {data.report?.failures.map((f, i) => <FailureView key={i} failure={f} />)}
          {data.report && data.report.failures.length < data.failures.length && <p class="muted">{t("explorations.left", { count: data.failures.length - data.report.failures.length })}</p>}
        </div>
      ) : !error && <Loading />}
    </section>
  );
}
