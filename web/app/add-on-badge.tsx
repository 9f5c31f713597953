import { Icon } from "../components/icon.tsx";
import { Tooltip } from "../components/tooltip.tsx";
import { useIsMobile } from "../lib/use-media-query.ts";
import type { NavItem } from "./navigation.ts";
import css from "./add-on-badge.module.css";

/** Marks an entry that needs add-ons; on mobile with their number. */
export function AddOnBadge({ addOns }: { addOns: NonNullable<NavItem["addOns"]> }) {
  const mobile = useIsMobile();
  return (
    <span className={css.place}>
      <Tooltip text={`Add-on: ${addOns.join(", ")}`} names>
        <span className={css.badge}>
          <Icon name="bolt" />
          {mobile && <span aria-hidden="true">{addOns.length}</span>}
          <span className="visually-hidden"> add-on</span>
        </span>
      </Tooltip>
    </span>
  );
}
