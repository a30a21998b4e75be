// The frame around the views: navigation, identity, and the view that the address names.

import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { explain, type TableDescription } from "./api/dynamodb";
import { away, hasToken, setToken, tokenWanted } from "./api/http";
import { Badge, Button, Choice, Empty, Loading, Problem, Select, TextField } from "./components/controls";
import { Dialog, Question } from "./components/dialog";
import { Icon, Mark } from "./components/icon";
import { IdentityPicker } from "./components/identity";
import { InForce } from "./components/in_force";
import { Keys, showKeys } from "./components/keys";
import { Palette, openPalette } from "./components/palette";
import { RemoteBar } from "./components/remote";
import { SideTables } from "./components/side_tables";
import { Toasts } from "./components/toast";
import { t } from "./i18n";
import { available, serverViews, viewsOf, type TableView } from "./registry";
import { identity } from "./state/identity";
import { href, route } from "./state/route";
import { asksToWrite, beginSession, session, sessionError, setWritable, writable } from "./state/session";
import { language, theme } from "./state/settings";
import { refreshTable, tableInfos, tableRounds } from "./state/tables";
import type { TableViewProps } from "./views/props";

export function App() {
  if (tokenWanted.value && !session.value) return <main class="alone"><Mark /><TokenForm /></main>;
  if (sessionError.value) {
    return (
      <main class="alone">
        <Mark />
        <Problem text={sessionError.value} onRetry={() => void beginSession()} />
      </main>
    );
  }
  if (!session.value) return away.value ? <main class="alone"><Mark /><p role="status">{t("connection.away")}</p></main> : <Loading />;
  return (
    <div class="frame">
      <Navigation />
      <main id="main" tabIndex={-1}>
        <RemoteBar />
        <InForce />
        <CurrentView />
      </main>
      <Palette />
      <Keys />
      <Toasts />
      {tokenWanted.value && <TokenDialog />}
    </div>
  );
}

// TokenDialog asks for another token above what is shown, which stays. It cannot be left without one.
function TokenDialog() {
  const [round, setRound] = useState(0);
  return <Dialog key={round} title={t("token.again")} onClose={() => setRound(round + 1)}><TokenForm inPlace /></Dialog>;
}

function TokenForm({ inPlace }: { inPlace?: boolean }) {
  const [token, setText] = useState("");
  const submit = (e: Event) => {
    e.preventDefault();
    setToken(token.trim());
    void beginSession();
  };
  return (
      <form onSubmit={submit}>
        {!inPlace && <h1>{t("token.title")}</h1>}
        <TextField label={t("token.label")} hint={t("token.hint")} value={token} onInput={setText} mono autofocus />
        {hasToken() && <Problem text={t("token.wrong")} />}
        <Button type="submit" kind="primary">{t("token.enter")}</Button>
      </form>
  );
}

function Navigation() {
  const [id] = route.value.path;
  const [more, setMore] = useState(false); // of what a narrow page does not show at first
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => { // a phone has no room for all
    const show = () => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    show();
    addEventListener("resize", show);
    return () => removeEventListener("resize", show);
  }, [id]);
  return (
    <nav class="side" aria-label={t("nav.label")}>
      <a class="brand" href={href(["tables"])}>
        <Mark />
        Kugiri
      </a>
      <IdentityPicker />
      <button type="button" class="jump" aria-keyshortcuts="Control+K" onClick={openPalette}>
        <Icon name="query" />
        <span>{t("palette.open")}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <button type="button" class="button bare menu" aria-label={t("nav.more")} aria-expanded={more} onClick={() => setMore(!more)}>
        <Icon name="more" />
      </button>
      <ul ref={list}>
        {serverViews.filter(available).map((v) => (
          <li key={v.id}>
            <a href={href([v.id])} aria-current={(id ?? "tables") === v.id ? "page" : undefined}>
              <Icon name={v.icon} />
              {t(v.title)}
            </a>
          </li>
        ))}
      </ul>
      <SideTables />
      <footer class={more ? "open" : ""}>
        {session.value?.readOnly && <WriteSwitch />}
        <Choice
          label={t("theme.label")}
          value={theme.value}
          options={(["system", "light", "dark"] as const).map((one) => ({ value: one, text: t(`theme.${one}`) }))}
          onChange={(v) => (theme.value = v)}
        />
        <Select
          label={t("language.label")}
          hideLabel
          value={language.value}
          options={[{ value: "en", text: "English" }, { value: "ja", text: "日本語" }]}
          onChange={(v) => (language.value = v)}
        />
        <button type="button" class="jump" aria-keyshortcuts="?" onClick={showKeys}>
          <Icon name="info" />
          <span>{t("keys.title")}</span>
          <kbd>?</kbd>
        </button>
        <p class="version">
          {session.value?.endpoint || "Kugiri"} {session.value?.endpoint ? "" : session.value?.version}
        </p>
      </footer>
    </nav>
  );
}

function WriteSwitch() {
  const [asking, setAsking] = useState(false);
  const { endpoint } = session.value!;
  const change = (box: HTMLInputElement) => {
    if (!box.checked || !asksToWrite()) return setWritable(box.checked);
    box.checked = false; // until it is allowed
    setAsking(true);
  };
  return (
    <>
      <label class="switch">
        <input type="checkbox" role="switch" checked={writable.value} onChange={(e) => change(e.currentTarget)} />
        <span>{t("writes.allow")}</span>
        <Icon name={writable.value ? "edit" : "lock"} />
      </label>
      {asking && (
        <Question
          title={t("writes.ask", { endpoint: endpoint || "AWS" })}
          text={t("writes.askText", { region: identity.value.region })}
          action={t("writes.allow")}
          onYes={() => setWritable(true)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function CurrentView() {
  const [id = "tables", name, tab = "items"] = route.value.path;
  if (id === "tables" && name !== undefined) return <TablePage key={name} name={name} tab={tab} />;
  const view = serverViews.find((v) => v.id === id && available(v));
  if (!view) return <Empty title={t("nav.nothing")}><a href={href(["tables"])}>{t("tables.title")}</a></Empty>;
  return <Loaded key={view.id} view={view} title={t(view.title)} props={{}} />;
}

// Loaded shows a view, whose script comes when it is first shown.
function Loaded<P extends object>({ view, title, props }: { view: { load: () => Promise<ComponentType<P>> }; title: string; props: P }) {
  const [View, setView] = useState<ComponentType<P>>();
  const [error, setError] = useState("");
  useEffect(() => {
    document.title = `${title} · Kugiri`;
  }, [title]);
  useLayoutEffect(() => {
    view.load().then((one) => setView(() => one), (e: unknown) => setError(explain(e)));
  }, [view]);
  if (error) return <Problem text={error} onRetry={() => location.reload()} />;
  return View ? <View {...props} /> : <div aria-busy="true" />;
}

function TablePage({ name, tab }: { name: string; tab: string }) {
  const [error, setError] = useState("");
  const refresh = () => {
    refreshTable(name).then(() => setError(""), (e: unknown) => setError(explain(e)));
  };
  useLayoutEffect(refresh, [name, identity.value, tableRounds.value]); // at once, without waiting for a frame
  const found = tableInfos.value.get(name)?.table;
  const last = useRef({ of: identity.value, table: found });
  if (found || last.current.of !== identity.value) last.current = { of: identity.value, table: found };
  const table = last.current.table; // while it is read again, what somebody types there stays
  const views = viewsOf(table);
  const view = views.find((v) => v.id === tab) ?? views[0]!;
  return (
    <section class="page">
      <header class="pagehead">
        <nav class="crumbs" aria-label={t("nav.crumbs")}>
          <a href={href(["tables"])}>{t("tables.title")}</a>
          <Icon name="right" />
        </nav>
        <h1 class="mono" title={name}>{name}</h1>
        {table && <KeyBadges table={table} />}
      </header>
      <Tabs name={name} views={views} current={view} />
      <Problem text={error} onRetry={refresh} />
      {table && <Loaded key={view.id} view={view} title={`${name} · ${t(view.title)}`} props={{ table, refresh } as TableViewProps} />}
    </section>
  );
}

function KeyBadges({ table }: { table: TableDescription }) {
  return (
    <>
      {table.KeySchema.map((k) => (
        <Badge key={k.AttributeName}>
          <span class="muted">{t(k.KeyType === "HASH" ? "key.partition" : "key.sort")}</span> <span class="mono">{k.AttributeName}</span>
        </Badge>
      ))}
      {table.TableStatus !== "ACTIVE" && <Badge tone="warn">{table.TableStatus}</Badge>}
    </>
  );
}

function Tabs({ name, views, current }: { name: string; views: TableView[]; current: TableView }) {
  return (
    <nav class="tabs" aria-label={t("nav.tabs")}>
      {views.map((v) => (
        <a key={v.id} href={href(["tables", name, v.id])} aria-current={v === current ? "page" : undefined}>
          <Icon name={v.icon} />
          {t(v.title)}
        </a>
      ))}
    </nav>
  );
}
