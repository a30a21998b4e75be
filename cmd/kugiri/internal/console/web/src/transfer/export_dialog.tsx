// ExportDialog saves the items of a view, or of the whole table, as a file.

import { useLayoutEffect, useState } from "preact/hooks";
import { explain, type TableDescription } from "../api/dynamodb";
import type { Item } from "../api/values";
import { Button, Check, Choice, Problem } from "../components/controls";
import { Dialog } from "../components/dialog";
import { toast } from "../components/toast";
import { count, t } from "../i18n";
import type { Request } from "../state/read";
import { maxUnits } from "../state/session";
import { exportItems, extensions, save, type Format } from "./export";
import { ProgressBar } from "./progress_bar";

const bytesOfUnit = 8192; // of an eventually consistent read

export interface ExportProps {
  table: TableDescription;
  request: Request; // of the view
  columns: string[]; // of the view
  selected?: Item[]; // to export these only
  onClose: () => void;
}

export function ExportDialog({ table, request, columns, selected, onClose }: ExportProps) {
  const whole: Request = { operation: "Scan", input: { TableName: table.TableName } };
  const isWhole = JSON.stringify(request) === JSON.stringify(whole);
  const [what, setWhat] = useState<"view" | "table">("view");
  const [attributes, setAttributes] = useState<"all" | "shown">("all");
  const [format, setFormat] = useState<Format>("dynamodb");
  const [types, setTypes] = useState(true);
  const [compress, setCompress] = useState(false);
  const [running, setRunning] = useState<AbortController>();
  const [items, setItems] = useState(0);
  const [error, setError] = useState("");
  useLayoutEffect(() => () => running?.abort(), [running]); // a dialog that is closed reads no more
  const [asked, setAsked] = useState(false);
  const costs = selected ? 0 : Math.ceil((table.TableSizeBytes ?? 0) / bytesOfUnit);
  const run = async () => {
    if (costs > maxUnits.value && !asked) return setAsked(true);
    const own = new AbortController();
    setRunning(own);
    setItems(0);
    setError("");
    try {
      const made = await exportItems({
        request: what === "table" ? whole : request,
        items: selected,
        columns: attributes === "shown" ? columns : undefined,
        first: columns, format, types, compress, signal: own.signal, progress: setItems,
      });
      save(made.file, `${table.TableName}.${extensions[format]}${compress ? ".gz" : ""}`);
      toast(t("export.done", { count: made.items }));
      onClose();
    } catch (e) {
      if (!own.signal.aborted) setError(explain(e));
      setRunning(undefined);
    }
  };
  const all = selected ? selected.length : what === "table" || isWhole ? table.ItemCount : undefined;
  return (
    <Dialog title={t("export.title")} onClose={onClose}>
      <div class="transfer">
        <fieldset disabled={running !== undefined}>
          {!isWhole && !selected && (
            <Labelled text={t("export.what")}>
              <Choice label={t("export.what")} value={what} options={[{ value: "view", text: t("export.view") }, { value: "table", text: t("export.table") }]} onChange={setWhat} />
            </Labelled>
          )}
          <Labelled text={t("export.attributes")}>
            <Choice
              label={t("export.attributes")}
              value={attributes}
              options={[{ value: "all", text: t("export.all") }, { value: "shown", text: t("export.shown", { count: columns.length }) }]}
              onChange={setAttributes}
            />
          </Labelled>
          <Labelled text={t("export.format")}>
            <Choice
              label={t("export.format")}
              value={format}
              options={(["dynamodb", "json", "csv"] as const).map((one) => ({ value: one, text: t(`export.${one}`) }))}
              onChange={setFormat}
            />
          </Labelled>
          <p class="hint">{t(`export.${format}Hint`)}</p>
          {format === "csv" && <Check label={t("export.types")} checked={types} onChange={setTypes} />}
          <Check label={t("export.compress")} checked={compress} onChange={setCompress} />
        </fieldset>
        {running && <ProgressBar label={t("export.progress", { count: items })} value={items} max={all} />}
        {asked && <p role="alert">{t("export.costs", { units: count(costs) })}</p>}
        <Problem text={error} />
        <footer>
          <Button onClick={() => (running ? running.abort() : onClose())}>{t("common.cancel")}</Button>
          <Button kind="primary" disabled={running !== undefined} onClick={() => void run()}>{t(asked ? "export.nonetheless" : "export.run")}</Button>
        </footer>
      </div>
    </Dialog>
  );
}

function Labelled({ text, children }: { text: string; children: preact.ComponentChildren }) {
  return (
    <div class="labelled">
      <span class="muted">{text}</span>
      {children}
    </div>
  );
}
