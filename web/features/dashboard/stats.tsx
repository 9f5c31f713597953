import { type ReactNode, Suspense } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { useReducedMotion } from "../../lib/use-media-query.ts";
import css from "./stats.module.css";
import { lazyPart } from "../../ui/lazy-part.tsx";

interface StatsProps {
  workspaceId: string;
  posts: number;
  /** Last 30 days; null without the analytics add-on. */
  views: number | null;
  members: number;
}

/** Source: specification, section 2 ("Dashboard"). */
export function Stats({ workspaceId, posts, views, members }: StatsProps) {
  return (
    <dl className={css.stats}>
      <Stat
        label="Changelog posts"
        action={<ButtonLink to={paths.changelog(workspaceId)} variant="quiet" icon="plus" aria-label="Go to changelog" />}
      >
        <Ticker value={posts} />
      </Stat>
      <Stat label="Changelog views">
        <Views to={paths.analytics(workspaceId)} views={views} />
      </Stat>
      <Stat label="Team members">
        <Link to={paths.team(workspaceId)} className={css.link} aria-label={`Team members: ${members.toLocaleString()}, go to the team`}>
          <Ticker value={members} />
        </Link>
      </Stat>
    </dl>
  );
}

/** Real views with the add-on, else a blurred placeholder. Source: product decision 8. */
function Views({ to, views }: { to: string; views: number | null }) {
  if (views === null) {
    return (
      <Tooltip text="Upgrade to Premium to view detailed analytics">
        <Link to={to} className={css.link} aria-label="Changelog views: not available, go to analytics">
          <span className={css.blurred}>1234</span>
        </Link>
      </Tooltip>
    );
  }
  return (
    <Link to={to} className={css.link} aria-label={`Changelog views: ${views.toLocaleString()} in the last 30 days, go to analytics`}>
      <Ticker value={views} />{" "}
      <Text as="span" size="small" tone="muted">
        last 30 days
      </Text>
    </Link>
  );
}

function Stat({ label, action, children }: { label: string; action?: ReactNode; children: ReactNode }) {
  return (
    <Stack gap={3}>
      <Text as="dt" tone="muted">
        {label}
      </Text>
      <Row as="dd" nowrap justify="between" className={css.figure}>
        <span>{children}</span>
        {action}
      </Row>
    </Stack>
  );
}

const RollingNumber = lazyPart(() => import("./rolling-number.tsx"), "default", {
  fallback: ({ value }) => value.toLocaleString(),
});
const canRoll = "animate" in Element.prototype;

/** Animated number; static with reduced motion and while its code loads. */
function Ticker({ value }: { value: number }) {
  const isStatic = useReducedMotion() || !canRoll;
  const plain = value.toLocaleString();
  if (isStatic) return plain;
  return (
    <Suspense fallback={plain}>
      <RollingNumber value={value} />
    </Suspense>
  );
}
