import { useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { useLatest } from "../lib/use-latest.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import { Row, Text } from "./layout.tsx";

interface PageTitleProps {
  id?: string | undefined;
  title: string;
  subtitle?: ReactNode;
  action?: ReactNode;
  /** Extra part of the tab's title, e.g. the workspace's name. */
  context?: string | null;
}

/** Page heading: sets the tab's title and takes focus after a navigation. */
export function PageTitle({ id, title, subtitle, action, context }: PageTitleProps) {
  usePageTitle(title, context);
  const heading = useFocusOnNavigation();
  return (
    <Row as="header" gap={4} justify="between" align="start">
      <Text as="div" style={{ flex: "1 1 16rem", minWidth: 0 }}>
        <h1 ref={heading} tabIndex={-1} id={id}>
          {title}
        </h1>
        {subtitle && (
          <Text tone="muted" style={{ marginTop: "var(--space-1)" }}>
            {subtitle}
          </Text>
        )}
      </Text>
      {action && (
        <Row gap={3} nowrap>
          {action}
        </Row>
      )}
    </Row>
  );
}

/** For an `<h1 tabIndex={-1}>`: focus after a navigation, except on the first page. `part` identifies the view when one URL shows several. */
export function useFocusOnNavigation(part?: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const latestKey = useLatest(key);
  const arrived = useRef(false);
  useEffect(() => {
    // Only the pathname counts: filters in the query keep the page.
    const moved = arrived.current || latestKey.current !== "default";
    arrived.current = true;
    if (moved && !document.activeElement?.matches("input, textarea, [contenteditable]")) heading.current?.focus({ preventScroll: true });
  }, [pathname, part, latestKey]);
  return heading;
}
