import type { Subscriber } from "#contract/subscribers.ts";
import { Icon } from "../../components/icon.tsx";
import { statusWords } from "./status-words.ts";
import css from "./subscriber-status.module.css";

/** A subscriber's status in colour, shape and word. */
export function SubscriberStatus({ status }: { status: Subscriber["status"] }) {
  const { word, icon, note } = statusWords[status];
  return (
    <span className={`${css.status} ${css[status]}`} title={note}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
