// ConflictView shows what somebody else has made of an item meanwhile beside one's own edit, and has
// one of the two taken, or both merged.

import { useState } from "preact/hooks";
import type { Edit } from "../api/edits";
import { merge, type Meeting, type Side } from "../api/merge";
import { brief, type AttributeValue, type Item } from "../api/values";
import { t } from "../i18n";
import { Button } from "./controls";

interface Props {
  edit: Edit;
  theirs: Item | undefined;
  onSettle: (to: Edit | undefined) => void;
}

export function ConflictView({ edit, theirs, onSettle }: Props) {
  const [sides, setSides] = useState<Map<string, Side>>(new Map());
  const { base = {}, mine } = edit;
  const merged = merge(base, theirs ?? {}, mine ?? {}, (path) => sides.get(path) ?? "mine");
  const on = theirs ? { base: theirs } : {};
  const choose = theirs && mine ? (path: string, side: Side) => setSides(new Map(sides).set(path, side)) : undefined;
  return (
    <div class="conflict">
      <p>{t(!theirs ? "conflict.gone" : edit.base ? "conflict.changed" : "conflict.there")}</p>
      <table>
        <thead>
          <tr>
            <th>{t("conflict.attribute")}</th>
            <th>{t("conflict.base")}</th>
            <th>{t("conflict.theirs")}</th>
            <th>{t("conflict.mine")}</th>
          </tr>
        </thead>
        <tbody>
          {merged.meetings.slice(0, someRows).map((m) => (
            <tr key={m.path}>
              <th scope="row" class="mono">{m.path}</th>
              <td><Version value={m.base} /></td>
              <VersionOf side="theirs" meeting={m} chosen={sides} choose={choose} />
              <VersionOf side="mine" meeting={m} chosen={sides} choose={choose} />
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <Button onClick={() => onSettle(undefined)}>{t("conflict.takeTheirs")}</Button>
        <Button onClick={() => onSettle({ ...on, ...(mine ? { mine } : {}) })}>{t("conflict.keepMine")}</Button>
        {theirs && mine && <Button kind="primary" onClick={() => onSettle({ base: theirs, mine: merged.item })}>{t("conflict.merge")}</Button>}
      </footer>
    </div>
  );
}

const someRows = 200;

interface VersionProps {
  meeting: Meeting;
  side: Side;
  chosen: Map<string, Side>;
  choose: ((path: string, side: Side) => void) | undefined; // undefined: there is nothing to merge
}

// VersionOf is the version of a side. If both sides have changed it, one of the two can be chosen.
function VersionOf({ meeting, side, chosen, choose }: VersionProps) {
  const { path, by } = meeting;
  const value = meeting[side];
  if (!choose) return <td><Version value={value} /></td>;
  if (by !== "both") return <td class={by === side ? "taken" : "left"}><Version value={value} /></td>;
  const taken = (chosen.get(path) ?? "mine") === side;
  return (
    <td class={taken ? "taken" : "left"}>
      <label>
        <input
          type="radio"
          name={path}
          checked={taken}
          aria-label={t(side === "mine" ? "conflict.chooseMine" : "conflict.chooseTheirs", { path })}
          onChange={() => choose(path, side)}
        />
        <Version value={value} />
      </label>
    </td>
  );
}

function Version({ value }: { value: AttributeValue | undefined }) {
  if (!value) return <span class="muted">–</span>;
  return <span class="value">{brief(value, 120) || '""'}</span>;
}
