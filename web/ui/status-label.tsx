import { Icon, type IconName } from "./icon.tsx";
import css from "./status-label.module.css";

interface StatusLabelProps {
  label: string;
  icon: IconName;
  tone: "ok" | "warn" | "danger" | "muted";
  /** Tooltip. */
  note?: string | undefined;
}

/** A status in colour, icon and text. */
export function StatusLabel({ label, icon, tone, note }: StatusLabelProps) {
  return (
    <span className={`${css.state} ${css[tone]}`} title={note}>
      <Icon name={icon} className={css.icon} />
      {label}
    </span>
  );
}
