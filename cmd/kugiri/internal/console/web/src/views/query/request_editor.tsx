// RequestEditor shows the request, and takes one that is written by hand.

import { Editor } from "../../components/editor";
import { t } from "../../i18n";
import { segmentsOf, type QueryState } from "./use_query";

export function RequestEditor({ query: { request, draft, change }, onRun }: { query: QueryState; onRun: () => void }) {
  const text = draft.request || (request ? JSON.stringify(request.input, null, 2) : "");
  const segments = request && !draft.request ? segmentsOf(request) : 1;
  return (
    <div class="request">
      <p class="muted">
        {t("query.requestHint")} {segments > 1 && t("query.segmentHint", { count: segments })}
      </p>
      <Editor label={t("query.request")} language="json" value={text} onChange={(to) => to !== text && change({ request: to })} onRun={onRun} />
    </div>
  );
}
