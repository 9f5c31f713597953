import { Icon } from "../../ui/icon.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./fault.module.css";

/** Error of a group of choices. */
export function Fault({ id, words }: { id: string; words: string }) {
  return (
    <Row as="p" id={id} role="alert" gap={1} align="baseline" className={css.fault}>
      <Icon name="exclamation-circle" />
      {words}
    </Row>
  );
}
