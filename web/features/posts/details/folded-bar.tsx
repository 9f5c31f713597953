import { type ReactNode, useId } from "react";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Panel, Text } from "../../../ui/layout.tsx";
import css from "./details.module.css";

interface FoldedBarProps {
  label: string;
  /** Shown while folded. */
  values: string;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** A line below the title that unfolds to a panel. */
export function FoldedBar({ label, values, open, onToggle, children }: FoldedBarProps) {
  const id = useId();
  return (
    <section className={css.bar} aria-label={label}>
      <Button variant="quiet" size="small" className={css.toggle} aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <Icon name={open ? "angle-down" : "angle-right"} />
        {label}
        {!open && values !== "" && (
          <Text as="span" tone="muted" truncate className={css.values}>
            {values}
          </Text>
        )}
      </Button>
      {open && (
        <Panel sunk id={id} className={css.panel}>
          {children}
        </Panel>
      )}
    </section>
  );
}
