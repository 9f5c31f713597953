import type { ComponentPropsWithRef, CSSProperties, ElementType } from "react";
import { classNames } from "../lib/class-names.ts";
import css from "./layout.module.css";

/** Layout primitives. Feature CSS is only for what they can't say. */

/** A step of `--space-*`. */
type Space = 0 | 1 | 2 | 3 | 4 | 6 | 8 | 12;

const space = (step: Space): string => (step === 0 ? "0px" : `var(--space-${step})`);

/** Every primitive takes its element's own props, `className` included. */
type As<T extends ElementType, Own> = Own & { as?: T } & Omit<ComponentPropsWithRef<T>, keyof Own | "as">;

interface BoxProps {
  className?: string;
  style?: CSSProperties;
}

interface StackProps extends BoxProps {
  gap?: Space;
  /** Children keep their width instead of filling the line. */
  start?: boolean;
  /** Takes the free width of a row, from this width on if given. */
  grow?: boolean | string;
  /** A line above each child. */
  divided?: boolean;
}

export function Stack<T extends ElementType = "div">({ as, gap = 4, start, grow, divided, className, style, ...rest }: As<T, StackProps>) {
  const Element: ElementType = as ?? "div";
  return (
    <Element
      className={classNames(css.stack, start && css.start, grow && css.grow, divided && css.divided, className)}
      style={{ gap: space(gap), flexBasis: typeof grow === "string" ? grow : undefined, ...style }}
      {...rest}
    />
  );
}

interface RowProps extends BoxProps {
  gap?: Space;
  justify?: "start" | "center" | "end" | "between";
  align?: "start" | "center" | "end" | "baseline" | "stretch";
  /** Children stay on one line. */
  nowrap?: boolean;
  /** A button, link or option: highlighted on hover, and while current, selected or pressed. */
  choice?: boolean;
}

export function Row<T extends ElementType = "div">({
  as,
  gap = 2,
  justify,
  align = "center",
  nowrap,
  choice,
  className,
  style,
  ...rest
}: As<T, RowProps>) {
  const Element: ElementType = as ?? "div";
  return (
    <Element
      className={classNames(css.row, nowrap && css.nowrap, choice && css.choice, className)}
      style={{ gap: space(gap), alignItems: align, justifyContent: justify === "between" ? "space-between" : justify, ...style }}
      {...rest}
    />
  );
}

interface GridProps extends BoxProps {
  gap?: Space;
  min: string;
  /** Few items fill the row. */
  fit?: boolean;
}

export function Grid<T extends ElementType = "div">({ as, gap = 4, min, fit, className, style, ...rest }: As<T, GridProps>) {
  const Element: ElementType = as ?? "div";
  return (
    <Element
      className={classNames(css.grid, className)}
      style={{ gap: space(gap), gridTemplateColumns: `repeat(auto-${fit ? "fit" : "fill"}, minmax(min(${min}, 100%), 1fr))`, ...style }}
      {...rest}
    />
  );
}

interface TextProps extends BoxProps {
  size?: "small" | "app" | "lead" | "section" | "figure" | "code";
  tone?: "text" | "muted" | "accent" | "danger" | "warn" | "ok";
  strong?: boolean;
  center?: boolean;
  grow?: boolean;
  truncate?: boolean;
  lines?: number;
}

/** A paragraph, or `as` another element. Long words wrap. */
export function Text<T extends ElementType = "p">({
  as,
  size,
  tone,
  strong,
  center,
  grow,
  truncate,
  lines,
  className,
  style,
  ...rest
}: As<T, TextProps>) {
  const Element: ElementType = as ?? "p";
  const chosen = [
    size && css[size],
    tone && css[tone],
    strong && css.strong,
    center && css.center,
    grow && css.grow,
    truncate && css.truncate,
    lines !== undefined && css.clamp,
  ];
  return (
    <Element
      className={classNames(css.words, ...chosen, className)}
      style={lines ? { WebkitLineClamp: lines, ...style } : style}
      {...rest}
    />
  );
}

/** Small muted text. */
export function Note<T extends ElementType = "p">(props: As<T, TextProps>) {
  return <Text<ElementType> size="small" tone="muted" {...props} />;
}

interface PanelProps extends BoxProps {
  padding?: Space;
  gap?: Space;
  /** Sunk into the page instead of raised. */
  sunk?: boolean;
}

export function Panel<T extends ElementType = "div">({ as, padding = 4, gap = 4, sunk, className, style, ...rest }: As<T, PanelProps>) {
  const Element: ElementType = as ?? "div";
  return (
    <Element
      className={classNames(css.stack, css.panel, sunk && css.sunk, className)}
      style={{ gap: space(gap), padding: space(padding), ...style }}
      {...rest}
    />
  );
}

/** Rows with lines between them; each child is a row, in a list an `<li>`. */
export function List<T extends ElementType = "ul">({ as, className, ...rest }: As<T, BoxProps>) {
  const Element: ElementType = as ?? "ul";
  return <Element role={Element === "ul" ? "list" : undefined} className={classNames(css.list, className)} {...rest} />;
}
