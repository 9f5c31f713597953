import type { ButtonHTMLAttributes, MouseEventHandler, ReactNode, Ref } from "react";
import { Link, type LinkProps } from "react-router-dom";
import { classNames } from "../lib/class-names.ts";
import { Icon, type IconName } from "./icon.tsx";
import { keepFocus } from "./return-focus.ts";
import css from "./button.module.css";

interface Look {
  /** primary: the one thing to do next. secondary: everything else. quiet: in toolbars and text. danger: removes something; quietDanger: the same in toolbars and text. */
  variant?: "primary" | "secondary" | "quiet" | "danger" | "quietDanger";
  size?: "medium" | "small";
  icon?: IconName;
  /** Fills its container's width. */
  wide?: boolean;
}

export interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type"> {
  type?: "button" | "submit";
  /** Working: shows a spinner and takes no click, but keeps its focus. */
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
      onClick={busy ? undefined : pressed(onClick)}
    >
      <Content icon={busy ? "spinner" : icon}>{children}</Content>
    </button>
  );
}

/** A link that looks like a button: it goes somewhere rather than doing something. */
export function ButtonLink({ variant = "secondary", size, icon, wide, className, children, ...rest }: Look & LinkProps) {
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

/** A button that goes with its own press leaves the focus to what is nearest. */
export const pressed =
  (onClick: MouseEventHandler<HTMLButtonElement> | undefined): MouseEventHandler<HTMLButtonElement> =>
  (event) => {
    keepFocus(event);
    onClick?.(event);
  };

/** The classes of a button, for buttons that a library renders. */
export const buttonClass = ({ variant = "secondary", size = "medium", wide }: Look) =>
  classNames(css.button, css[variant], css[size], wide && css.wide);
