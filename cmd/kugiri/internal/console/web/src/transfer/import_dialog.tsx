// ImportDialog puts the items of a file into a table, once it has shown the first of them.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { explain, type TableDescription } from "../api/dynamodb";
import { keyOf } from "../api/schema";
import { attribute, type Item } from "../api/values";
import { Button, Problem, Select } from "../components/controls";
import { Dialog } from "../components/dialog";
import { FileDrop } from "../components/file_drop";
import { Keeps } from "../components/sendings";
import { toast } from "../components/toast";
import { ValueCell } from "../components/value";
import { t } from "../i18n";
import { maxRecorded, recorded } from "../state/sendings";
import { writable } from "../state/session";
import { kinds, type Kind } from "./csv";
import { importItems, TooManyErrors, type Progress } from "./import";
import { ProgressBar } from "./progress_bar";
import { layoutOf, readItems, type Layout, type Read } from "./read";

export interface ImportProps {
  table: TableDescription;
  file?: File | undefined; // that was dropped already
  onDone: () => void; // items were put
  onClose: () => void;
}

export function ImportDialog({ table, file: dropped, onDone, onClose }: ImportProps) {
  const [file, setFile] = useState(dropped);
  const [layout, setLayout] = useState<Layout>();
  const [sample, setSample] = useState<Sample>();
  const [running, setRunning] = useState<AbortController>();
  const [progress, setProgress] = useState<Progress>();
  const [error, setError] = useState("");
  useLayoutEffect(() => () => running?.abort(), [running]); // a dialog that is closed puts no more
  useEffect(() => {
    if (!file) return;
    const own = new AbortController();
    setLayout(undefined);
    setSample(undefined);
    setProgress(undefined);
    setError("");
    layoutOf(file, table, own.signal).then((found) => own.signal.aborted || setLayout(found), (e: unknown) => own.signal.aborted || setError(explain(e)));
    return () => own.abort();
  }, [file]);
  useEffect(() => {
    if (!file || !layout) return;
    const own = new AbortController();
    sampleOf(file, layout, table, own.signal).then((found) => own.signal.aborted || setSample(found), (e: unknown) => own.signal.aborted || setError(explain(e)));
    return () => own.abort();
  }, [layout]);
  const run = async () => {
    const own = new AbortController();
    setRunning(own);
    setError("");
    try {
      const places = sample!.keys?.map((key) => ({ table, key }));
      const end = await recorded("import", places, () => importItems(table, { file: file!, layout: layout!, signal: own.signal, progress: setProgress }), toast);
      toast(t("import.progress", { count: end.items }));
      if (end.errors.length === 0) onClose();
    } catch (e) {
      setError(own.signal.aborted ? t("import.cancelled") : e instanceof TooManyErrors ? t("import.tooMany") : explain(e));
    }
    setRunning(undefined);
    onDone();
  };
  return (
    <Dialog title={t("import.title")} wide onClose={onClose}>
      <div class="transfer">
        {!running && <FileDrop label={t("import.file")} accept=".jsonl,.ndjson,.json,.csv,.gz" file={file} onFile={setFile} />}
        {!file && <p class="hint">{t("import.hint")}</p>}
        {layout && !progress && <Preview table={table} layout={layout} sample={sample?.reads ?? []} onLayout={setLayout} />}
        {sample && sample.reads.length > 0 && !progress && <Keeps keys={sample.keys?.length ?? Infinity} />}
        {sample?.reads.length === 0 && <p class="muted">{t("import.noItems")}</p>}
        {progress && <ProgressBar label={t("import.progress", { count: progress.items })} value={progress.bytes} max={file!.size} />}
        {progress && progress.errors.length > 0 && <Errors list={progress.errors} />}
        <Problem text={error} />
        <footer>
          <Button onClick={() => (running ? running.abort() : onClose())}>{t(progress && !running ? "common.close" : "common.cancel")}</Button>
          <Button kind="primary" disabled={!layout || !sample?.reads.length || running !== undefined || !writable.value} onClick={() => void run()}>{t("import.run")}</Button>
        </footer>
      </div>
    </Dialog>
  );
}

const sampled = 20;
const maxKept = 1_000_000; // characters of items, which are kept twice to be able to undo an import

interface Sample {
  reads: Read[]; // the first ones
  keys?: Item[]; // of all items, if an import of so many can be undone
}

// sampleOf reads the beginning of a file: as much of it as an import that can be undone has.
async function sampleOf(file: File, layout: Layout, table: TableDescription, signal: AbortSignal): Promise<Sample> {
  const first: Read[] = [];
  const keys: Item[] = [];
  let length = 0;
  for await (const reads of readItems(file, layout, { signal })) {
    first.push(...reads.slice(0, sampled - first.length));
    const items = reads.flatMap(({ item }): Item[] => (item ? [item] : []));
    keys.push(...items.map((item) => keyOf(table.KeySchema, item)));
    length += JSON.stringify(items).length;
    if (first.length === sampled && (keys.length > maxRecorded || length > maxKept)) return { reads: first };
  }
  return keys.length > maxRecorded || length > maxKept ? { reads: first } : { reads: first, keys };
}

const maxColumns = 12;

interface PreviewProps {
  table: TableDescription;
  layout: Layout;
  sample: Read[];
  onLayout: (to: Layout) => void;
}

// Preview shows the first items. The types of the columns of CSV can be chosen.
function Preview({ table, layout, sample, onLayout }: PreviewProps) {
  const keys = table.KeySchema.map((k) => k.AttributeName);
  const found = layout.form === "csv" ? layout.columns.map((c) => c.name) : [...new Set(sample.flatMap((read) => Object.keys(read.item ?? {})))];
  const names = [...new Set([...keys, ...found])].slice(0, layout.form === "csv" ? undefined : maxColumns);
  const choose = (name: string, kind: Kind) => onLayout({ ...layout, columns: layout.columns.map((c) => (c.name === name ? { name, kind } : c)) });
  return (
    <>
      {layout.form !== "csv" && (
        <Select
          label={t("import.form")}
          value={layout.form}
          options={(["dynamodb", "json"] as const).map((one) => ({ value: one, text: t(`export.${one}`) }))}
          onChange={(form) => onLayout({ ...layout, form })}
        />
      )}
      <div class="preview" role="region" aria-label={t("import.preview")} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{t("import.line")}</th>
              {names.map((name) => {
                const column = layout.columns.find((c) => c.name === name);
                return (
                  <th key={name} class="mono">
                    {name}
                    {column && <Select label={t("import.typeOf", { column: name })} hideLabel value={column.kind} options={kinds.map((k) => ({ value: k, text: k }))} onChange={(k) => choose(name, k)} />}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {sample.map((read) => (
              <tr key={read.line}>
                <td class="muted">{read.line}</td>
                {read.item ? names.map((name) => <td key={name}><ValueCell value={attribute(read.item!, name)} /></td>) : <td class="wrong" colSpan={names.length}>{read.error}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Errors({ list }: { list: Progress["errors"] }) {
  return (
    <div class="preview errors" role="region" aria-label={t("import.errors", { count: list.length })} tabIndex={0}>
      <h3>{t("import.errors", { count: list.length })}</h3>
      <ul>
        {list.map((e, i) => (
          <li key={i}><span class="muted">{t("import.line")} {e.line}</span> {e.text}</li>
        ))}
      </ul>
    </div>
  );
}
