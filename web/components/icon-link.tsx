import type { LinkProps } from "react-router-dom";
import { ButtonLink } from "./button.tsx";
import type { IconName } from "./icon.tsx";
import { Tooltip } from "./tooltip.tsx";

interface IconLinkProps extends Omit<LinkProps, "children"> {
  icon: IconName;
  /** Its accessible name and its tooltip. */
  label: string;
}

/** A link with only an icon; the label is its name and shows as a tooltip. */
export function IconLink({ icon, label, ...link }: IconLinkProps) {
  return (
    <Tooltip text={label} names>
      <ButtonLink {...link} variant="quiet" icon={icon} aria-label={label} />
    </Tooltip>
  );
}
