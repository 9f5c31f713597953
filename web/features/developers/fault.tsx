import { Icon } from "../../components/icon.tsx";
import css from "./fault.module.css";

/** What is wrong with a group of choices. */
export function Fault({ id, words }: { id: string; words: string }) {
  return (
    <p id={id} role="alert" className={css.fault}>
      <Icon name="exclamation-circle" />
      {words}
    </p>
  );
}
