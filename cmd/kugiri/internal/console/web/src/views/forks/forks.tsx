// Forks shows the server and its forks as a tree, and of one of them the clock, the snapshots and
// what expires next.

import { useEffect, useState } from "preact/hooks";
import type { Overview } from "../../api/admin";
import type { Fork } from "../../api/forks";
import { Badge, Problem, TextField } from "../../components/controls";
import { Icon } from "../../components/icon";
import { t } from "../../i18n";
import { href, route } from "../../state/route";
import { forks, scopePath, shownScope, usePolled } from "../../state/scope";
import { refreshOverview } from "../../state/session";
import { Clock } from "./clock";
import { Compare } from "./compare";
import { Expirations } from "./expirations";
import { Head } from "./head";
import { Snapshots } from "./snapshots";

export default function Forks() {
  useEffect(() => void refreshOverview().catch(() => {}), []); // the tree is then that of before
  if (route.value.query.has("compare")) return <Compare />;
  const asked = route.value.query.get("scope");
  const scope = asked === null ? shownScope.value : asked === "server" ? "" : asked;
  const origin = forks.value.find((f) => f.accessKey === scope)?.from;
  return (
    <section class="page">
      <header class="pagehead">
        <h1>{t("forks.title")}</h1>
        <div class="actions">
          <a class="button" href={href(["forks"], { compare: "1", before: origin, after: scope })}>{t("compare.title")}</a>
        </div>
      </header>
      <div class="beside">
        <Tree scope={scope} />
        <Scope key={scope} scope={scope} />
      </div>
    </section>
  );
}

const refresh = 1500; // milliseconds

function Scope({ scope }: { scope: string }) {
  const polled = usePolled<Overview>(scopePath(scope), refresh);
  const [problem, setProblem] = useState("");
  if (!polled.data) return <div class="scroll"><Problem text={polled.error} onRetry={() => void polled.refresh()} /></div>;
  const props = { scope, overview: polled.data, refresh: polled.refresh, fail: setProblem };
  return (
    <div class="scroll scope">
      <Head {...props} />
      <Problem text={problem || polled.error} />
      <Clock {...props} />
      <Snapshots {...props} />
      <Expirations {...props} />
    </div>
  );
}

interface Node {
  scope: string;
  depth: number;
}

const many = 12; // forks, from which on there is a filter
const maxShown = 500;

function Tree({ scope }: { scope: string }) {
  const [filter, setFilter] = useState("");
  const all = treeOf(forks.value).filter((n) => n.scope.toLowerCase().includes(filter.toLowerCase()));
  return (
    <nav class="forks" aria-label={t("forks.tree")}>
      {forks.value.length > many && <TextField label={t("tables.filter")} hideLabel placeholder={t("tables.filter")} value={filter} onInput={setFilter} />}
      <ul>
        {all.slice(0, maxShown).map((n) => (
          <li key={n.scope} style={{ paddingLeft: `${Math.min(n.depth, 8) * 16}px` }}>
            <a href={href(["forks"], { scope: n.scope || "server" })} aria-current={n.scope === scope ? "page" : undefined}>
              <Icon name={n.scope ? "fork" : "system"} />
              <span class={n.scope ? "mono" : ""}>{n.scope || t("forks.server")}</span>
              {n.scope === shownScope.value && <Badge tone="good">{t("forks.shown")}</Badge>}
            </a>
          </li>
        ))}
      </ul>
      {all.length > maxShown && <p class="muted">{t("value.more", { count: all.length - maxShown })}</p>}
      {forks.value.length === 0 && <p class="muted">{t("forks.none")}</p>}
    </nav>
  );
}

// treeOf lists the server and its forks, each before those that were made of it.
function treeOf(all: Fork[]): Node[] {
  const children = new Map<string, Fork[]>();
  const known = new Set(all.map((f) => f.accessKey));
  for (const f of all) {
    const parent = f.ofFork && known.has(f.from!) ? f.from! : "";
    children.set(parent, [...(children.get(parent) ?? []), f]);
  }
  const nodes: Node[] = [];
  const seen = new Set<string>();
  const add = (scope: string, depth: number) => {
    if (seen.has(scope)) return;
    seen.add(scope);
    nodes.push({ scope, depth });
    for (const f of children.get(scope) ?? []) add(f.accessKey, depth + 1);
  };
  add("", 0);
  for (const f of all) add(f.accessKey, 1); // whose origin was removed and made of it again
  return nodes;
}
