// ItemDiff shows what differs between two versions of an item, attribute by attribute.

import { changesOf, type Change } from "../api/diff";
import { brief, open, type AttributeValue, type Item } from "../api/values";
import { visible } from "../api/visible";
import { t } from "../i18n";

const someChanges = 500;

interface Props {
  before: Item;
  after: Item;
  names?: [string, string]; // of the two, if they are not before and after a change
}

export function ItemDiff({ before, after, names }: Props) {
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p class="muted">{t("diff.same")}</p>;
  return (
    <ul class="diff" aria-label={t("diff.title")}>
      {names && (
        <li>
          <span class="side-removed"><span class="mono strong">{names[0]}</span></span>
          <span class="side-added"><span class="mono strong">{names[1]}</span></span>
        </li>
      )}
      {changes.slice(0, someChanges).map((c) => (
        <li key={c.path}>
          <span class="mono path">{visible(c.path)}</span>
          {c.before && <Side value={c.before} from={begin(c)} kind="removed" />}
          {c.after && <Side value={c.after} from={begin(c)} kind="added" />}
        </li>
      ))}
      {changes.length > someChanges && <li class="muted">{t("value.more", { count: changes.length - someChanges })}</li>}
    </ul>
  );
}

const shownBefore = 40; // characters before the first that differs
const shownSame = 200; // characters that are the same are all shown up to here

// begin returns where the part of two texts that is shown begins: long ones may differ far behind.
function begin({ before, after }: Change): number {
  const [a, b] = [textOf(before), textOf(after)];
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at++;
  return at > shownSame ? at - shownBefore : 0;
}

const textOf = (value: AttributeValue | undefined) => (value && "S" in value ? value.S : "");

interface SideProps {
  value: AttributeValue;
  from: number; // the first character of a string to show
  kind: "added" | "removed";
}

function Side({ value, from, kind }: SideProps) {
  const text = "S" in value && from > 0 ? "…" + brief({ S: value.S.slice(from) }, 400) : brief(value, 400);
  return (
    <span class={`side-${kind}`}>
      <span class="unseen">{t(`diff.${kind}`)}</span>
      <span class="type">{open(value)[0]}</span>
      <span class="value">{text === "" ? '""' : text}</span>
    </span>
  );
}
