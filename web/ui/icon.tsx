import { classNames } from "../lib/class-names.ts";
import type { IconName } from "./icon-names.ts";
import css from "./icon.module.css";

export type { IconName };

/** Decorative, so always with a label. `large` is 20 px, else 16 px. */
export function Icon({ name, large, muted, className }: { name: IconName; large?: boolean; muted?: boolean; className?: string }) {
  return (
    <i
      className={classNames(
        "pi",
        `pi-${name}`,
        css.icon,
        large && css.large,
        muted && css.muted,
        name === "spinner" && css.spin,
        className,
      )}
      aria-hidden="true"
    />
  );
}
