import { type ReactNode, Suspense } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Tooltip } from "../../components/tooltip.tsx";
import { useReducedMotion } from "../../lib/use-media-query.ts";
import css from "./stats.module.css";
import { lazyPart } from "../../components/lazy-part.tsx";

interface StatsProps {
  workspaceId: string;
  posts: number;
  /** Of the last 30 days; null without the analytics add-on. */
  views: number | null;
  members: number;
}

/** The numbers of a workspace, set like a masthead's figures: posts, views, people. Source: specification, section 2 ("Dashboard"). */
export function Stats({ workspaceId, posts, views, members }: StatsProps) {
  return (
    <dl className={css.stats}>
      <Stat
        label="Changelog posts"
        action={
          <ButtonLink to={paths.changelog(workspaceId)} variant="quiet" icon="plus" className={css.plus} aria-label="Go to changelog" />
        }
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

/** Real views where they are paid for, else a blurred number. Source: product decision 8. */
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
      <Ticker value={views} /> <span className={css.span}>last 30 days</span>
    </Link>
  );
}

function Stat({ label, action, children }: { label: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div className={css.stat}>
      <dt>{label}</dt>
      <dd>
        <span className={css.figure}>{children}</span>
        {action}
      </dd>
    </div>
  );
}

const RollingNumber = lazyPart(
  () => import("./rolling-number.tsx"),
  (part) => part.default,
  {
    instead: ({ value }) => value.toLocaleString(),
  },
);
const canRoll = "animate" in Element.prototype;

/** A number that rolls up to its value; it stands at once with reduced motion and until the animation's code is there. */
function Ticker({ value }: { value: number }) {
  const still = useReducedMotion() || !canRoll;
  const plain = value.toLocaleString();
  if (still) return plain;
  return (
    <Suspense fallback={plain}>
      <RollingNumber value={value} />
    </Suspense>
  );
}
