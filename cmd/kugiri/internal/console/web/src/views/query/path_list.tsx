// PathList takes the attributes that are returned, one after the other.

import { useState } from "preact/hooks";
import { parsePath } from "../../api/paths";
import { Button, TextField } from "../../components/controls";
import { Icon } from "../../components/icon";
import { t } from "../../i18n";

interface Props {
  paths: string[];
  known: string[];
  pending: string; // what is written, and not added yet
  fault: string; // of what is pending
  onPending: (text: string) => void;
  onChange: (paths: string[]) => void;
}

export function PathList({ paths, known, pending: text, fault, onPending: setText, onChange }: Props) {
  const [error, setError] = useState("");
  const add = (path: string) => {
    if (path.trim() === "") return;
    try {
      parsePath(path);
    } catch (e) {
      return setError((e as Error).message);
    }
    setText("");
    onChange(paths.includes(path.trim()) ? paths : [...paths, path.trim()]);
  };
  return (
    <div class="path-list">
      <div class="line">
        <TextField
          label={t("query.attributes")}
          placeholder={paths.length ? t("query.addAttribute") : t("query.allAttributes")}
          value={text}
          error={error || fault}
          list={known.filter((one) => !paths.includes(one))}
          onInput={(to) => {
            setError("");
            setText(to);
          }}
          onBlur={() => add(text)}
          onKeyDown={(e) => {
            if (e.key !== "Enter" || e.ctrlKey || text === "") return;
            e.preventDefault();
            add(text);
          }}
          mono
        />
        <Button icon="plus" label={t("query.addAttribute")} disabled={text === ""} onClick={() => add(text)} />
      </div>
      <ul class="chips" aria-label={t("query.attributes")} hidden={paths.length === 0}>
        {paths.map((path) => (
          <li key={path}>
            <button type="button" class="chip" aria-label={t("query.removeAttribute", { path })} onClick={() => onChange(paths.filter((one) => one !== path))}>
              <span class="mono">{path}</span>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
