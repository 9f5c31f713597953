import { Icon, type IconName } from "./icon.tsx";
import css from "./state-word.module.css";

interface StateWordProps {
  word: string;
  icon: IconName;
  tone: "ok" | "warn" | "danger" | "muted";
  /** What it means, for who rests on it. */
  note?: string | undefined;
}

/** The state that something is in, in colour, shape and word. */
export function StateWord({ word, icon, tone, note }: StateWordProps) {
  return (
    <span className={`${css.state} ${css[tone]}`} title={note}>
      <Icon name={icon} className={css.icon} />
      {word}
    </span>
  );
}
