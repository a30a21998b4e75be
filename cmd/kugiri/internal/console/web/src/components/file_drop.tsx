// FileDrop takes a file: chosen, or dropped on it.

import { useId, useState } from "preact/hooks";
import { bytes, t } from "../i18n";
import { Icon } from "./icon";

interface Props {
  label: string;
  accept: string; // extensions, with commas between
  file: File | undefined;
  onFile: (file: File) => void;
}

export function FileDrop({ label, accept, file, onFile }: Props) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    if (files?.[0]) onFile(files[0]);
  };
  return (
    <label
      for={id}
      class={over ? "drop over" : "drop"}
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => {
        e.preventDefault();
        setOver(false);
        take(e.dataTransfer?.files);
      }}
    >
      <Icon name="transfer" />
      <span>{file ? `${file.name} · ${bytes(file.size)}` : t("file.drop")}</span>
      {/* without a value, the same file can be chosen again after it has changed */}
      <input id={id} type="file" aria-label={label} accept={accept} onClick={(e) => (e.currentTarget.value = "")} onChange={(e) => take(e.currentTarget.files)} />
    </label>
  );
}
