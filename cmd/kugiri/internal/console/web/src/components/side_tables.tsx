// SideTables lists the tables beside every view, with a filter.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { href, route } from "../state/route";
import { tableNames } from "../state/tables";
import { TextField } from "./controls";

const many = 8; // tables, from which on there is a filter
const maxShown = 200;

export function SideTables() {
  const [filter, setFilter] = useState("");
  const [view, current, tab] = route.value.path;
  const names = tableNames.value;
  if (names.length === 0) return null;
  const found = names.filter((one) => one.toLowerCase().includes(filter.toLowerCase()));
  const to = view === "tables" && current !== undefined && tab ? [tab] : []; // another table in the same view
  return (
    <section class="side-tables" aria-label={t("tables.title")}>
      {names.length > many && <TextField label={t("side.filter")} hideLabel placeholder={t("tables.filter")} value={filter} onInput={setFilter} />}
      <ul tabIndex={-1}>
        {found.slice(0, maxShown).map((name) => (
          <li key={name}>
            <a href={href(["tables", name, ...to])} aria-current={view === "tables" && name === current ? "page" : undefined} title={name}>{name}</a>
          </li>
        ))}
      </ul>
      {found.length > maxShown && <p class="muted">{t("value.more", { count: found.length - maxShown })}</p>}
    </section>
  );
}
