import type { ReactNode } from "react";
import { paths } from "../../../app/paths.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { Tooltip } from "../../../components/tooltip.tsx";
import css from "./stats.module.css";

/** The numbers of a workspace, set like a masthead's figures: posts, views, people. */
export function Stats({ workspaceId, posts, members }: { workspaceId: string; posts: number; members: number }) {
  return (
    <dl className={css.stats}>
      <Stat
        label="Changelog posts"
        action={
          <ButtonLink to={paths.changelog(workspaceId)} variant="quiet" icon="plus" className={css.plus} aria-label="Go to the changelog" />
        }
      >
        {posts.toLocaleString()}
      </Stat>
      <Stat label="Changelog views">
        <Tooltip text="Upgrade to Premium to view detailed analytics">
          <span tabIndex={0} role="img" aria-label="Not available" className={css.blurred}>
            1234
          </span>
        </Tooltip>
      </Stat>
      <Stat label="Team members">{members.toLocaleString()}</Stat>
    </dl>
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
