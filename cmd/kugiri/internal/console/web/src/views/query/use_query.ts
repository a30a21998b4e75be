// The state of the query builder: the form, the request that it stands for, its plan, and its run.

import { useEffect, useMemo, useState } from "preact/hooks";
import { planCost, type Cost } from "../../api/cost";
import { explain, type TableDescription } from "../../api/dynamodb";
import type { Plan } from "../../api/plan";
import { sourcesOf, type Source } from "../../api/schema";
import type { TypeName } from "../../api/values";
import { t } from "../../i18n";
import { useAddress } from "../../state/address";
import { draftOf, draftQuery, requestOfDraft, summaryOf, type Draft } from "../../state/draft";
import { faultsOfDraft, type DraftFault } from "../../state/draft_faults";
import { remember } from "../../state/history";
import { usePaths } from "../../state/paths";
import { usePlans } from "../../state/plan";
import type { Request } from "../../state/read";
import { route } from "../../state/route";
import { useRun, type Run } from "../../state/run";

export interface QueryState {
  table: TableDescription;
  source: Source;
  draft: Draft;
  change: (to: Partial<Draft>) => void;
  keep: () => void; // writes the draft into the address at once
  paths: Map<string, TypeName>; // of attributes that items have
  request: Request | undefined;
  problem: string; // why there is no request, or why it is refused
  reads: string; // what the request does, in a line
  plan: Plan | undefined;
  before: Cost | undefined; // by the plan
  after: Cost | undefined; // of the run, if it is that of the request
  result: Run;
  pending: string; // an attribute to return that is written, and not added yet
  setPending: (text: string) => void;
  faults: DraftFault[]; // of the draft, that somebody was told of who wanted to run it
  refusals: number; // how often somebody was
  run: () => boolean; // false: the draft has faults, and nothing runs
}

export function useQuery(table: TableDescription): QueryState {
  const { draft, change, arrived, keep } = useAddress(draftOf, draftQuery);
  const source = sourceOf(table, draft);
  const { request, error } = useMemo(() => make(table, source, draft), [table, draft]);
  const text = request ? JSON.stringify(withoutSegment(request)) : "";
  const { plans: [plan], error: unplanned } = usePlans(text && `[${text}]`);
  const result = useRun();
  const paths = usePaths(table, result.items);
  const [pending, setPending] = useState("");
  const [told, setTold] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const faults = faultsOfDraft(draft, source, pending);
  if (told && faults.length === 0) setTold(false);
  const start = () => request && result.start(request, draft.request ? 1 : segmentsOf(request));
  useEffect(() => {
    if (route.value.query.has("run") && faults.length === 0) start(); // a link to what somebody has run
  }, [arrived]);
  const ran = result.request && JSON.stringify(withoutSegment(result.request)) === text;
  return {
    table, source, draft, change, paths, request, plan, result, refusals, pending, setPending,
    faults: told ? faults : [],
    keep: () => keep(),
    problem: error || unplanned || (plan?.error ? `${plan.error}: ${plan.message ?? ""}` : ""),
    reads: request ? sentence(request, source, plan?.reads[0]?.keyCondition) : "",
    before: request && plan && !plan.error ? planCost(plan) : undefined,
    after: ran && result.cost.pages > 0 ? result.cost : undefined,
    run: () => {
      if (faults.length > 0) {
        setTold(true);
        setRefusals(refusals + 1);
        return false;
      }
      if (!request) return false;
      keep({ run: "1" });
      remember(historyName(table), summaryOf(source, draft));
      start();
      return true;
    },
  };
}

/** The name under which the history of a table's queries is kept. */
export const historyName = (table: TableDescription) => "query " + table.TableName;

/** How many segments a Scan is split into. */
export const segmentsOf = (request: Request) => (request.input as { TotalSegments?: number }).TotalSegments ?? 1;

function sourceOf(table: TableDescription, draft: Draft): Source {
  const all = sourcesOf(table);
  return all.find((s) => (s.index ?? "") === draft.index) ?? all[0]!;
}

function make(table: TableDescription, source: Source, draft: Draft): { request?: Request; error: string } {
  try {
    return { request: requestOfDraft(table, source, draft), error: "" };
  } catch (e) {
    return { error: explain(e) };
  }
}

/** A request for all segments. */
export function withoutSegment(request: Request): Request {
  const { Segment: _, TotalSegments: __, ...input } = request.input as { Segment?: number; TotalSegments?: number };
  return { operation: request.operation, input };
}

function sentence(request: Request, source: Source, condition: string | undefined): string {
  const { TableName, IndexName } = request.input as { TableName?: string; IndexName?: string };
  const of = IndexName ?? source.index ?? TableName ?? "";
  if (request.operation === "Scan") return t("plan.scan", { source: of });
  return condition ? t("plan.queryBy", { source: of, condition }) : t("plan.query", { source: of });
}
