// ProgressBar shows how far something is, as far as that is known.

interface Props {
  label: string;
  value: number;
  max: number | undefined; // undefined or 0: not known
}

export function ProgressBar({ label, value, max }: Props) {
  return (
    <div class="progress">
      {max ? <progress aria-label={label} value={Math.min(value, max)} max={max} /> : <progress aria-label={label} />}
      <span>{label}</span>
    </div>
  );
}
