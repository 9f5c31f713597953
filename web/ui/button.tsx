import type { ButtonHTMLAttributes, MouseEventHandler, ReactNode, Ref } from "react";
import { Link, type LinkProps } from "react-router-dom";
import { classNames } from "../lib/class-names.ts";
import { Icon, type IconName } from "./icon.tsx";
import { keepFocus } from "./return-focus.ts";
import css from "./button.module.css";

interface ButtonStyle {
  /** primary: the main action. secondary: other actions. quiet: in toolbars and text. danger and quietDanger: destructive actions. link: in sentences. */
  variant?: "primary" | "secondary" | "quiet" | "danger" | "quietDanger" | "link";
  size?: "medium" | "small";
  icon?: IconName;
  wide?: boolean;
}

export interface ButtonProps extends ButtonStyle, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type"> {
  type?: "button" | "submit";
  /** Shows a spinner and ignores clicks, but keeps focus. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant = "secondary",
  size,
  icon,
  wide,
  busy = false,
  type = "button",
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy ? "button" : type}
      className={classNames(buttonClass({ variant, size, wide }), className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : keepingFocus(onClick)}
    >
      <Content icon={busy ? "spinner" : icon}>{children}</Content>
    </button>
  );
}

export function ButtonLink({ variant = "secondary", size, icon, wide, className, children, ...rest }: ButtonStyle & LinkProps) {
  return (
    <Link {...rest} className={classNames(buttonClass({ variant, size, wide }), className)}>
      <Content icon={icon}>{children}</Content>
    </Link>
  );
}

function Content({ icon, children }: { icon?: IconName; children: ReactNode }) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  );
}

/** Focus: moves to the nearest control if the button disappears on click. */
export const keepingFocus =
  (onClick: MouseEventHandler<HTMLButtonElement> | undefined): MouseEventHandler<HTMLButtonElement> =>
  (event) => {
    keepFocus(event);
    onClick?.(event);
  };

export const buttonClass = ({ variant = "secondary", size = "medium", wide }: ButtonStyle) =>
  classNames(css.button, css[variant], css[size], wide && css.wide);
