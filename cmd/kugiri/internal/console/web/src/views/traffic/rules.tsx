// Rules lists what the policy found in requests: by rule, then by table and tenant.

import type { Finding } from "../../api/traffic";
import { Badge, Empty, Loading } from "../../components/controls";
import { count, moment, t } from "../../i18n";
import { findings, traffic } from "../../state/traffic";
import { tableLink } from "./links";

export function Rules() {
  if (!traffic.value) return <Loading />;
  const byRule = new Map<string, Finding[]>();
  for (const f of findings.value) byRule.set(f.rule, [...(byRule.get(f.rule) ?? []), f]);
  if (byRule.size === 0) return <Empty title={t("traffic.noRules")} />;
  const sorted = [...byRule].sort(([, a], [, b]) => total(b) - total(a));
  return <div class="scroll">{sorted.map(([rule, list]) => <Rule key={rule} rule={rule} list={list} />)}</div>;
}

const total = (list: Finding[]) => list.reduce((sum, f) => sum + f.count, 0);

function Rule({ rule, list }: { rule: string; list: Finding[] }) {
  return (
    <article class="card rule">
      <h2><span class="mono">{rule}</span> <span class="muted">{count(total(list))}</span></h2>
      <ul>
        {list.map((f) => (
          <li key={JSON.stringify([f.severity, f.table, f.index, f.entity, f.tenant])}>
            <p>
              <Badge tone={f.severity === "enforce" ? "bad" : "warn"}>{t(`traffic.${f.severity}`)}</Badge>
              <a class="mono strong" href={tableLink(f.table, undefined, { index: f.index })}>{f.table}</a>
              {f.index && <span class="mono">{f.index}</span>}
              {f.entity && <span><span class="muted">{t("traffic.entity")}</span> {f.entity}</span>}
              {f.tenant && <span><span class="muted">{t("traffic.tenant")}</span> <span class="mono">{f.tenant}</span></span>}
              <span class="muted">{f.operation}</span>
              <span class="count">{count(f.count)} · {moment(Date.parse(f.last) / 1000)}</span>
            </p>
            <p class="message">{f.example}</p>
          </li>
        ))}
      </ul>
    </article>
  );
}
