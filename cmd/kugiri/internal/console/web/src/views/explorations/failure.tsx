// FailureView shows a failure as a sequence diagram, step by step over the items as they were.

import { useState } from "preact/hooks";
import type { Attributes, Diagram, DiagramItem, Failure } from "../../api/explorations";
import { Badge, Button } from "../../components/controls";
import { Sequence } from "../../components/sequence";
import { t } from "../../i18n";
import { save } from "../../transfer/export";

export function FailureView({ failure }: { failure: Failure }) {
  const d = failure.diagram;
  const [at, setAt] = useState(0);
  return (
    <article class="card failure" aria-label={d.kind}>
      <h2>
        <Badge tone="bad">{d.kind}</Badge> <span class="mono">{d.test}</span>
        <Button icon="transfer" kind="quiet" label={t("explorations.save")} onClick={() => save(new Blob([failure.html], { type: "text/html" }), `${d.test.replace(/[^\w.-]+/g, "-")}.html`)} />
      </h2>
      <pre class="said">{d.text}</pre>
      {d.steps.length > 0 && (
        <>
          <Sequence
            title={t("explorations.order")}
            workers={d.workers.map((w) => w.name)}
            ends={d.workers.map((w) => w.result ?? "")}
            at={at}
            onAt={setAt}
            steps={d.steps.map((s) => ({ worker: s.worker, mark: s.mark, content: <Request title={s.operation} lines={s.lines ?? []} /> }))}
          />
          <Items items={itemsAt(d, at)} at={at} of={d.steps.length} />
        </>
      )}
      <p>{t("explorations.replay")}</p>
      <pre class="said" tabIndex={0} role="region" aria-label={t("explorations.replay")}>{d.replay}</pre>
    </article>
  );
}

function Request({ title, lines }: { title: string; lines: string[] }) {
  return (
    <>
      <strong>{title}</strong>
      {lines.map((line, i) => <code key={i}>{line}</code>)}
    </>
  );
}

/** An item after a step, with what it was before it. */
interface Now extends DiagramItem {
  changed: boolean; // by the step
}

// itemsAt returns all items of a failure as they are after a step.
function itemsAt(d: Diagram, at: number): Now[] {
  const found = new Map<string, Now>();
  d.steps.forEach((step, i) => {
    for (const item of step.items ?? []) {
      const id = JSON.stringify([item.table, item.key]);
      const seen = found.get(id);
      if (i > at) {
        if (!seen) found.set(id, { ...item, after: item.before, changed: false });
      } else found.set(id, { ...item, changed: i === at && JSON.stringify(item.before) !== JSON.stringify(item.after) });
    }
  });
  return [...found.values()];
}

function Items({ items, at, of }: { items: Now[]; at: number; of: number }) {
  if (items.length === 0) return null;
  return (
    <section class="sums items-at">
      <h3>{t("explorations.itemsAt", { at: at + 1, of })}</h3>
      <table>
        <thead>
          <tr><th scope="col">{t("explorations.item")}</th><th scope="col">{t("explorations.attributes")}</th></tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.table + item.key} class={item.changed ? "changed" : ""}>
              <td class="mono">{item.table} {item.key}</td>
              <td class="mono"><Values {...item} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Values({ before, after, changed }: Now) {
  if (!after) return changed ? <span class="value changed">{t("explorations.deleted")}</span> : <span class="muted">{t("explorations.noItem")}</span>;
  const was = (name: string) => own(before, name);
  const gone = changed && before ? Object.keys(before).filter((name) => own(after, name) === undefined) : [];
  return (
    <>
      {Object.entries(after).map(([name, value]) => (
        <span key={name} class={changed && was(name) !== value ? "value changed" : "value"}>
          {name}: {changed && was(name) !== undefined && was(name) !== value ? `${was(name)} → ` : ""}{value}
        </span>
      ))}
      {gone.map((name) => <span key={name} class="value changed"><del>{name}: {was(name)}</del></span>)}
    </>
  );
}

const own = (of: Attributes | undefined, name: string) => (of && Object.hasOwn(of, name) ? of[name] : undefined);
