// Bodies shows what was sent and what was answered, as far as the recording keeps it.

import { useEffect, useState } from "preact/hooks";
import { admin } from "../../api/admin";
import { explain } from "../../api/dynamodb";
import type { Exchange } from "../../api/traffic";
import { Button, Loading, Problem } from "../../components/controls";
import { copy } from "../../components/toast";
import { t } from "../../i18n";
import { scopePath, shownScope } from "../../state/scope";

export function Bodies({ id }: { id: number }) {
  const { exchange, error } = useExchange(id);
  if (error) return <Problem text={error} />;
  if (!exchange) return <Loading />;
  if (!exchange.kept) return <p class="muted">{t("traffic.bodiesGone")}</p>;
  return (
    <>
      <Body title={t("traffic.request")} text={exchange.request} whole={exchange.requestWhole} />
      <Body title={t("traffic.answer")} text={exchange.answer} whole={exchange.answerWhole} />
    </>
  );
}

function Body({ title, text, whole }: { title: string; text: string; whole: boolean }) {
  const shown = indented(text);
  return (
    <section class="body-of" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <Button icon="copy" kind="quiet" label={t("traffic.copyBody", { of: title })} onClick={() => void copy(text, t("common.copied"))} />
      </header>
      <pre class="mono" tabIndex={0} role="group" aria-label={title}>{shown || "–"}</pre>
      {!whole && <p class="hint">{t("traffic.bodyCut")}</p>}
    </section>
  );
}

// indented writes JSON with a member on each line. Its numbers are texts, as DynamoDB writes them.
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // it is cut, or no JSON
  }
}

interface State {
  of: string;
  exchange?: Exchange;
  error: string;
}

function useExchange(id: number): { exchange: Exchange | undefined; error: string } {
  const path = `${scopePath(shownScope.value)}traffic/operations/${id}`;
  const [state, setState] = useState<State>({ of: path, error: "" });
  useEffect(() => {
    let gone = false;
    admin<Exchange>("GET", path).then(
      (exchange) => gone || setState({ of: path, exchange, error: "" }),
      (e: unknown) => gone || setState({ of: path, error: explain(e) }),
    );
    return () => {
      gone = true;
    };
  }, [path]);
  return state.of === path ? { exchange: state.exchange, error: state.error } : { exchange: undefined, error: "" };
}
