import { Icon, type IconName } from "./icon.tsx";
import { Text } from "./layout.tsx";
import css from "./icon.module.css";

interface StatusLabelProps {
  label: string;
  icon: IconName;
  tone: "ok" | "accent" | "warn" | "danger" | "muted";
  note?: string | undefined;
}

export function StatusLabel({ label, icon, tone, note }: StatusLabelProps) {
  return (
    <Text as="span" size="small" strong tone={tone} className={css.status} title={note}>
      <Icon name={icon} />
      {label}
    </Text>
  );
}
