import { Fragment, type ReactNode } from "react";
import css from "./facts.module.css";

/** Labels with their values, as a definition list. Leaves out false and null values. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {facts.map(
        ([label, value]) =>
          value !== null &&
          value !== false && (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
