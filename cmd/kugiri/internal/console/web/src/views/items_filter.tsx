// ItemsFilter has the conditions of a filter above the items that it leaves. DynamoDB reads the others, too.

import { useEffect, useState } from "preact/hooks";
import type { TableDescription } from "../api/dynamodb";
import { emptyCondition } from "../api/filter";
import { sourcesOf } from "../api/schema";
import type { Item } from "../api/values";
import { Button } from "../components/controls";
import { ToList } from "../components/to_list";
import { t } from "../i18n";
import { draftOf, type Draft } from "../state/draft";
import { faultsOfDraft } from "../state/draft_faults";
import { usePaths } from "../state/paths";
import { route, setQuery } from "../state/route";
import { FilterFields } from "./query/filter_fields";

export interface ItemsFilterProps {
  table: TableDescription;
  items: Item[];
  onClose: () => void;
}

// beginning is the filter of an address, or one with a condition to write.
function beginning(query: URLSearchParams): Draft {
  const draft = draftOf(query);
  return draft.filter.length > 0 ? draft : { ...draft, filter: [emptyCondition] };
}

export function ItemsFilter({ table, items, onClose }: ItemsFilterProps) {
  const { query } = route.value;
  const [draft, setDraft] = useState(() => beginning(query));
  useEffect(() => setDraft(beginning(query)), [query.get("filter"), query.get("any")]); // the address changed
  const [told, setTold] = useState(false);
  const paths = usePaths(table, items);
  const faults = faultsOfDraft(draft, sourcesOf(table)[0]!, "").filter((one) => one.field === "filter");
  const apply = (e: Event) => {
    e.preventDefault();
    setTold(true);
    if (faults.length === 0) setQuery({ filter: draft.filter.length > 0 ? JSON.stringify(draft.filter) : undefined, any: draft.any ? "1" : undefined, item: undefined });
  };
  const clear = () => {
    setQuery({ filter: undefined, any: undefined, item: undefined });
    onClose();
  };
  return (
    <form class="items-filter" onSubmit={apply} aria-label={t("query.filter")}>
      <ToList />
      <FilterFields draft={draft} paths={paths} faults={told ? faults : []} change={(to) => setDraft({ ...draft, ...to })} />
      <div class="line">
        <Button type="submit" kind="primary">{t("items.filter")}</Button>
        <Button onClick={clear}>{t("items.noFilter")}</Button>
        <p class="hint">{t("items.filterHint")}</p>
      </div>
    </form>
  );
}
