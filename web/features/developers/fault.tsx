import { Icon } from "../../ui/icon.tsx";
import css from "./fault.module.css";

/** Error of a group of choices. */
export function Fault({ id, words }: { id: string; words: string }) {
  return (
    <p id={id} role="alert" className={css.fault}>
      <Icon name="exclamation-circle" />
      {words}
    </p>
  );
}
