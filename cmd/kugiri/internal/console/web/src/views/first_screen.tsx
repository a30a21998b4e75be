// FirstScreen is shown where there are no tables yet. It has where programs send their requests, how to do
// that in six languages, a table to try things with, and what a file is good for.

import { useState } from "preact/hooks";
import { explain } from "../api/dynamodb";
import { makeSample, sampleTable } from "../api/sample";
import { Code } from "../components/code";
import { Button, Problem } from "../components/controls";
import { copy } from "../components/toast";
import { t } from "../i18n";
import { navigate } from "../state/route";
import { session, writable } from "../state/session";
import { loadTables } from "../state/tables";

export function FirstScreen() {
  const [error, setError] = useState("");
  const [making, setMaking] = useState(false);
  const endpoint = session.value?.endpoint || (session.value?.readOnly ? "" : location.origin);
  const make = async () => {
    setMaking(true);
    setError("");
    try {
      await makeSample();
      await loadTables();
      navigate(["tables", sampleTable]);
    } catch (e) {
      setError(explain(e));
    }
    setMaking(false);
  };
  return (
    <div class="first-screen">
      <section>
        <h3>{t("first.sample")}</h3>
        <p>{t("first.sampleHint")}</p>
        <Button icon="table" disabled={!writable.value || making} onClick={() => void make()}>{t("first.make")}</Button>
        <Problem text={error} />
      </section>
      <section>
        <h3>{t("first.file")}</h3>
        <p>{t("first.fileHint")} {t("create.fileHint")}</p>
      </section>
      <section class="wide">
        <h3>{t("first.program")}</h3>
        {endpoint && (
          <p class="line">
            <span>{t("first.endpoint")} <code class="mono">{endpoint}</code></span>
            <Button icon="copy" kind="quiet" label={t("first.copy")} onClick={() => void copy(endpoint, t("common.copied"))} />
          </p>
        )}
        <Code call={{ operation: "ListTables", input: {} }} />
      </section>
    </div>
  );
}
