// Info shows the settings of a table, and changes them: each by a form that shows the request it sends.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { TableDescription } from "../api/dynamodb";
import { indexesOf } from "../api/schema";
import { settingsOf, type Settings } from "../api/settings";
import { Button, Loading } from "../components/controls";
import { bytes, count, moment, t } from "../i18n";
import { identity } from "../state/identity";
import { writable } from "../state/session";
import { loadTables } from "../state/tables";
import type { TableViewProps } from "./props";
import type { Change } from "./settings/change";
import { ChangeForm } from "./settings/change_form";
import { Sections } from "./settings/sections";

export default function Info({ table, refresh }: TableViewProps) {
  const [changing, setChanging] = useState<Change>();
  const [round, setRound] = useState(0);
  const settings = useSettings(table, round);
  const again = () => {
    refresh();
    setRound((n) => n + 1);
  };
  usePolling(again, isMoving(table, settings));
  return (
    <div class="scroll settings">
      <div class="actions">
        <Button icon="refresh" onClick={again}>{t("common.refresh")}</Button>
        <span class="muted">{t("cost.settings")}</span>
      </div>
      <dl class="facts">
        <Fact name={t("tables.status")}>{table.TableStatus}</Fact>
        <Fact name={t("tables.items")}>{count(table.ItemCount ?? 0)}</Fact>
        <Fact name={t("tables.size")}>{bytes(table.TableSizeBytes ?? 0)}</Fact>
        <Fact name={t("info.created")}>{moment(table.CreationDateTime)}</Fact>
        <Fact name="ARN" wide><span class="mono">{table.TableArn}</span></Fact>
      </dl>
      {settings ? <Sections table={table} settings={settings} change={writable.value ? setChanging : undefined} /> : <Loading />}
      {changing && (
        <ChangeForm
          key={changing.id}
          change={changing}
          onDone={() => {
            again();
            void loadTables(true); // a change may have made one
          }}
          onClose={() => setChanging(undefined)}
        />
      )}
    </div>
  );
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ComponentChildren }) {
  return (
    <div class={wide ? "wide" : ""}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function useSettings(table: TableDescription, round: number): Settings | undefined {
  const [settings, setSettings] = useState<Settings>();
  useEffect(() => {
    const ends = new AbortController();
    settingsOf(table, ends.signal).then(setSettings, () => {}); // it has ended
    return () => ends.abort();
  }, [table.TableArn, round, identity.value]);
  return settings;
}

const settled = new Set(["ACTIVE", "ENABLED", "DISABLED", "COMPLETED", "FAILED", "AVAILABLE", "CANCELLED", "ENABLE_FAILED", ""]);

// isMoving reports whether something is on its way, which the page then follows.
function isMoving(table: TableDescription, s: Settings | undefined): boolean {
  const states = [
    table.TableStatus, ...indexesOf(table).map((i) => i.IndexStatus ?? ""), ...(table.Replicas ?? []).map((r) => r.ReplicaStatus ?? ""),
    ...(s?.transfers ?? []).map((one) => one.status), ...(s?.kinesis ?? []).map((one) => one.status), ...(s?.backups ?? []).map((one) => one.status), s?.ttl?.status ?? "",
    ...Object.values(s?.insights ?? {}),
  ];
  return states.some((one) => !settled.has(one));
}

const every = 1000; // milliseconds

function usePolling(again: () => void, on: boolean): void {
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(again, every);
    return () => clearInterval(timer);
  }, [on]);
}
