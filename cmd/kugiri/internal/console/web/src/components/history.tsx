// History lists what was run lately, with links that show it again.

import { moment, t } from "../i18n";
import { forget, historyOf } from "../state/history";
import { Button, Empty } from "./controls";

interface Props {
  view: string;
  onOpen?: () => void; // an entry has been chosen
}

export function History({ view, onOpen }: Props) {
  const entries = historyOf(view);
  if (entries.length === 0) return <Empty title={t("history.none")} />;
  return (
    <div class="scroll history" tabIndex={0} role="region" aria-label={t("history.title")}>
      <ul class="list">
        {entries.map((e) => (
          <li key={e.address}>
            <a href={e.address} onClick={onOpen}>
              <span class="mono">{e.text}</span>
              <time class="muted">{moment(e.at)}</time>
            </a>
          </li>
        ))}
      </ul>
      <Button icon="erase" kind="quiet" onClick={() => forget(view)}>{t("history.clear")}</Button>
    </div>
  );
}
