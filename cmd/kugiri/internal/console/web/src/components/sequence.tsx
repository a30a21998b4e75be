// Sequence is a sequence diagram: a column for each worker, and a row for each step, one after the
// other. Its buttons go through the steps.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { Button } from "./controls";

export interface Step {
  worker: number; // its column
  content: ComponentChildren;
  mark?: string; // what is wrong here
}

interface Props {
  title: string;
  workers: string[];
  steps: Step[];
  at: number; // the step that is shown, from 0
  onAt: (at: number) => void;
  ends?: string[]; // how each worker has ended
}

export function Sequence({ title, workers, steps, at, onAt, ends }: Props) {
  const lanes = useRef<HTMLDivElement>(null);
  const drawn = useRef(at);
  useEffect(() => {
    if (drawn.current !== at) lanes.current?.querySelector(".now .event")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    drawn.current = at;
  }, [at]);
  return (
    <figure class="order">
      <figcaption>
        {title}
        <span class="actions">
          <Button icon="left" kind="quiet" label={t("races.back")} idle={at === 0} onClick={() => onAt(at - 1)} />
          <span class="muted" role="status">{t("races.step", { at: at + 1, of: steps.length })}</span>
          <Button icon="right" kind="quiet" label={t("races.next")} idle={at >= steps.length - 1} onClick={() => onAt(at + 1)} />
        </span>
      </figcaption>
      <div ref={lanes} class="lanes" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>{workers.map((w, i) => <th key={i} scope="col">{w}</th>)}</tr>
          </thead>
          <tbody>
            {steps.map((s, i) => (
              <tr key={i} class={i === at ? "now" : i > at ? "later" : ""} aria-current={i === at ? "step" : undefined} onClick={() => onAt(i)}>
                {workers.map((_, w) => (
                  <td key={w}>
                    {w === s.worker ? (
                      <span class={s.mark ? "event marked" : "event"}>
                        {s.content}
                        {s.mark && <strong class="mark">{s.mark}</strong>}
                      </span>
                    ) : <span class="lifeline" />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {ends && (
            <tfoot>
              <tr>{ends.map((end, i) => <td key={i}>{end && <span class="event end">{end}</span>}</td>)}</tr>
            </tfoot>
          )}
        </table>
      </div>
    </figure>
  );
}
