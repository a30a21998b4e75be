// The buttons that export and import items, and the place where files can be dropped.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../components/controls";
import { late } from "../components/late";
import { t } from "../i18n";
import { writable } from "../state/session";
import type { ExportProps } from "./export_dialog";
import type { ImportProps } from "./import_dialog";

const ExportDialog = late<ExportProps>("ExportDialog");
const ImportDialog = late<ImportProps>("ImportDialog");

export function ExportButton(p: Omit<ExportProps, "onClose">) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {p.selected ? <Button icon="transfer" onClick={() => setOpen(true)}>{t("export.run")}</Button> : <Button icon="transfer" kind="quiet" label={t("export.title")} text={t("export.run")} onClick={() => setOpen(true)} />}
      {open && <ExportDialog {...p} onClose={() => setOpen(false)} />}
    </>
  );
}

type ImportingProps = Omit<ImportProps, "file" | "onClose">;

/** An import of a view: its button, what takes files that are dropped, and the dialog. */
export function useImport(p: ImportingProps): { button: ComponentChildren; offer: ComponentChildren; dialog: ComponentChildren; onDrop: DropHandlers } {
  const [opened, setOpened] = useState<{ file?: File | undefined }>();
  const onDrop = {
    onDragOver: (e: DragEvent) => {
      if (e.dataTransfer?.types.includes("Files")) e.preventDefault();
    },
    onDrop: (e: DragEvent) => {
      const file = e.dataTransfer?.files[0];
      if (!file || e.defaultPrevented) return;
      e.preventDefault();
      if (writable.value) setOpened({ file });
    },
  };
  return {
    onDrop,
    button: <Button icon="upload" kind="quiet" label={t("import.title")} text={t("import.run")} disabled={!writable.value} onClick={() => setOpened({})} />,
    offer: <Button icon="upload" disabled={!writable.value} onClick={() => setOpened({})}>{t("import.offer")}</Button>,
    dialog: opened && <ImportDialog {...p} {...opened} onClose={() => setOpened(undefined)} />,
  };
}

interface DropHandlers {
  onDragOver: (e: DragEvent) => void;
  onDrop: (e: DragEvent) => void;
}
