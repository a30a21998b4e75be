// RemoteBar says on every page of an endpoint that is not the server of the page which one it is, in a
// color of its own, and what the page has consumed there.

import { spent } from "../api/spent";
import { decimal, t } from "../i18n";
import { identity } from "../state/identity";
import { session, writable } from "../state/session";
import { tableInfos } from "../state/tables";
import { Icon } from "./icon";

export function RemoteBar() {
  const s = session.value;
  if (!s?.readOnly) return null;
  const { read, write } = spent.value;
  return (
    <section class={`remote ${writable.value ? "writes" : ""}`} aria-label={t("remote.label")}>
      <Icon name={writable.value ? "edit" : "lock"} />
      <strong>{s.endpoint || "AWS"}</strong>
      <span>{t("remote.account", { account: accountOf() || "–" })}</span>
      <span>{t("remote.region", { region: identity.value.region })}</span>
      <span>{t(writable.value ? "writes.on" : "writes.off")}</span>
      <span class="spent" role="status">{t("remote.spent", { read: decimal(read, 1), write: decimal(write, 1) })}</span>
    </section>
  );
}

// accountOf returns the account in the ARN of a table that was described.
function accountOf(): string {
  for (const info of tableInfos.value.values()) {
    const account = info?.table.TableArn?.split(":")[4];
    if (account) return account;
  }
  return "";
}
