import { useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { useLatest } from "../lib/use-latest.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import css from "./page-title.module.css";

interface PageTitleProps {
  title: string;
  subtitle?: ReactNode;
  /** Right of the title: the page's one primary action. */
  action?: ReactNode;
  /** More words for the tab's title, e.g. the workspace's name. */
  context?: string | null;
}

/** A page's heading: names the tab and takes the focus when the page is reached by a navigation. */
export function PageTitle({ title, subtitle, action, context }: PageTitleProps) {
  usePageTitle(title, context);
  const heading = useFocusOnNavigation();
  return (
    <header className={css.top}>
      <div className={css.words}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {subtitle && <p className={css.subtitle}>{subtitle}</p>}
      </div>
      {action && <div className={css.action}>{action}</div>}
    </header>
  );
}

/**
 * For pages with a heading of their own: put the ref on an `<h1 tabIndex={-1}>`. The first page of a visit keeps the browser's own focus.
 * `part` names what the page shows when one address shows several things after each other.
 */
export function useFocusOnNavigation(part?: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const latestKey = useLatest(key);
  const arrived = useRef(false);
  useEffect(() => {
    // A page that only keeps a filter in its query is still the same page.
    const moved = arrived.current || latestKey.current !== "default";
    arrived.current = true;
    if (moved && !document.activeElement?.matches("input, textarea, [contenteditable]")) heading.current?.focus({ preventScroll: true });
  }, [pathname, part, latestKey]);
  return heading;
}
