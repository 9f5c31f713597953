import { classNames } from "../lib/class-names.ts";
import { keepingFocus, type ButtonProps } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Tooltip } from "./tooltip.tsx";
import css from "./button.module.css";

export interface IconButtonProps extends Omit<ButtonProps, "children" | "variant" | "size" | "wide" | "icon"> {
  icon: IconName;
  label: string;
  danger?: boolean;
}

export function IconButton({ icon, label, busy = false, danger, type = "button", className, onClick, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} names>
      <button
        {...rest}
        type={type}
        aria-label={label}
        aria-disabled={busy || undefined}
        aria-busy={busy || undefined}
        className={classNames(css.icon, danger && css.dangerIcon, className)}
        onClick={busy ? undefined : keepingFocus(onClick)}
      >
        <Icon name={busy ? "spinner" : icon} />
      </button>
    </Tooltip>
  );
}
