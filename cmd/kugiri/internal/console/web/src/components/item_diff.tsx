// ItemDiff shows what differs between two versions of an item, attribute by attribute.

import { changesOf } from "../api/diff";
import { brief, open, type AttributeValue, type Item } from "../api/values";
import { t } from "../i18n";

const someChanges = 500;

export function ItemDiff({ before, after }: { before: Item; after: Item }) {
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p class="muted">{t("diff.same")}</p>;
  return (
    <ul class="diff" aria-label={t("diff.title")}>
      {changes.slice(0, someChanges).map((c) => (
        <li key={c.path}>
          <span class="mono path">{c.path}</span>
          {c.before && <Side value={c.before} kind="removed" />}
          {c.after && <Side value={c.after} kind="added" />}
        </li>
      ))}
      {changes.length > someChanges && <li class="muted">{t("value.more", { count: changes.length - someChanges })}</li>}
    </ul>
  );
}

function Side({ value, kind }: { value: AttributeValue; kind: "added" | "removed" }) {
  const text = brief(value, 400);
  return (
    <span class={`side-${kind}`}>
      <span class="unseen">{t(`diff.${kind}`)}</span>
      <span class="type">{open(value)[0]}</span>
      <span class="value">{text === "" ? '""' : text}</span>
    </span>
  );
}
