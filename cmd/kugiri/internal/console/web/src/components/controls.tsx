// Small controls: buttons, fields, badges, messages.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { t } from "../i18n";
import { href } from "../state/route";
import { Icon, type IconName } from "./icon";

interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  label?: string; // for a button that shows an icon only
  text?: string; // beside the icon where there is room
  title?: string; // what it does, if its name says too little
  kind?: "primary" | "danger" | "quiet";
  type?: "button" | "submit";
  disabled?: boolean;
  idle?: boolean; // there is nothing to do now, as at the end of a list: as disabled, but it keeps the focus
  pressed?: boolean;
  shortcut?: string;
  untabbed?: boolean; // the Tab key passes by it
  onClick?: (event: MouseEvent) => void;
}

export function Button({ children, icon, label, text, title, kind, type = "button", disabled, idle, pressed, shortcut, untabbed, onClick }: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind ?? ""} ${children || text ? "" : "bare"} ${text ? "labelled-button" : ""}`}
      aria-label={label}
      title={title ?? label}
      aria-pressed={pressed}
      aria-keyshortcuts={shortcut}
      disabled={disabled}
      aria-disabled={idle || undefined}
      tabIndex={untabbed ? -1 : undefined}
      onClick={idle ? undefined : onClick}
    >
      {icon && <Icon name={icon} />}
      {text && <span class="wide-only">{text}</span>}
      {children}
    </button>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: ComponentChildren;
  error?: string;
  placeholder?: string;
  hideLabel?: boolean;
  mono?: boolean;
  autofocus?: boolean;
  list?: string[]; // proposals
  onKeyDown?: (event: KeyboardEvent) => void;
  onBlur?: () => void;
}

export function TextField(p: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={p.hideLabel ? "unseen" : ""}>{p.label}</label>
      <input
        id={id}
        type="text"
        class={p.mono ? "mono" : ""}
        value={p.value}
        placeholder={p.placeholder}
        autofocus={p.autofocus}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={p.error ? true : undefined}
        aria-describedby={p.hint || p.error ? id + "-hint" : undefined}
        list={p.list ? id + "-list" : undefined}
        onInput={(e) => p.onInput(e.currentTarget.value)}
        onKeyDown={p.onKeyDown}
        onBlur={p.onBlur}
      />
      {p.list && (
        <datalist id={id + "-list"}>
          {p.list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {(p.error || p.hint) && <p id={id + "-hint"} class={p.error ? "hint error" : "hint"}>{p.error || p.hint}</p>}
    </div>
  );
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; text: string }[];
  onChange: (value: T) => void;
  hideLabel?: boolean;
  error?: string;
}

export function Select<T extends string>({ label, value, options, onChange, hideLabel, error }: SelectProps<T>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={hideLabel ? "unseen" : ""}>{label}</label>
      <select id={id} value={value} aria-invalid={error ? true : undefined} aria-describedby={error ? id + "-hint" : undefined} onChange={(e) => onChange(e.currentTarget.value as T)}>
        {options.map((o) => (
          <option key={o.value} value={o.value}>{o.text}</option>
        ))}
      </select>
      {error && <p id={id + "-hint"} class="hint error">{error}</p>}
    </div>
  );
}

export function Check({ label, checked, onChange }: { label: ComponentChildren; checked: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(e) => onChange(e.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** Buttons of which one is chosen. */
export function Choice<T extends string>({ label, value, options, onChange }: SelectProps<T>) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {options.map((o) => (
        <button key={o.value} type="button" aria-pressed={o.value === value} onClick={() => onChange(o.value)}>{o.text}</button>
      ))}
    </div>
  );
}

export function Badge({ children, tone }: { children: ComponentChildren; tone?: "good" | "warn" | "bad" }) {
  return <span class={`badge ${tone ?? ""}`}>{children}</span>;
}

/** What is wrong, a way to try again, and what else can be done. */
export function Problem({ text, onRetry, children }: { text: string; onRetry?: () => void; children?: ComponentChildren }) {
  if (!text) return null;
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <Said text={text} />
      {onRetry && <Button onClick={onRetry}>{t("common.retry")}</Button>}
      {children}
    </div>
  );
}

// A refusal of a policy, as DynamoDB's errors carry it: the rule, what is wrong, and what to do.
const refusal = /^(?:(\w+Exception): )?([a-z]+(?:-[a-z]+)+): (.*?)(?:; instead, (.*))?$/s;

// Said shows a refusal of a policy as the list of its findings does, and any other text as it is.
function Said({ text }: { text: string }) {
  const [all, , rule, what, remedy] = refusal.exec(text) ?? [];
  if (all === undefined || !remedy) return <span>{text}</span>;
  return (
    <span class="refusal">
      <a class="mono strong" href={href(["traffic"], { show: "rules" })}>{rule}</a> <Badge tone="bad">{t("traffic.enforce")}</Badge>
      <span>{what}</span>
      <span class="remedy"><strong>{t("refusal.instead")}</strong> {remedy}</span>
    </span>
  );
}

/** What is shown where there is nothing. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading() {
  return <div class="loading" role="status">{t("common.loading")}</div>;
}
