import { Link } from "react-router-dom";
import { relativeTime } from "#contract/rules/relative-time.ts";
import type { Activity } from "#contract/workspaces.ts";
import { paths } from "../../lib/paths.ts";
import { activityWords } from "./activity-words.ts";
import css from "./recent-activity.module.css";

/** Who did what and when, the latest first. */
export function RecentActivity({ workspaceId, activities }: { workspaceId: string; activities: readonly Activity[] }) {
  const now = new Date();
  if (activities.length === 0) return null;
  return (
    <section aria-labelledby="recent-activity">
      <h2 id="recent-activity">Recent Activity</h2>
      <ul role="list" className={css.list} aria-labelledby="recent-activity">
        {activities.map((activity) => (
          <li key={activity.id} className={css.line}>
            <Sentence workspaceId={workspaceId} activity={activity} />
            <time className={css.when} dateTime={activity.created_at} title={new Date(activity.created_at).toLocaleString()}>
              {relativeTime(activity.created_at, now)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sentence({ workspaceId, activity }: { workspaceId: string; activity: Activity }) {
  const words = activityWords(activity);
  if (!words) return null;
  const { who, before, what, after } = words;
  const there = activity.post_id !== null && activity.kind !== "post_purged";
  return (
    <span className={css.sentence}>
      <strong>{who}</strong> {before}{" "}
      {what !== null && (there ? <Link to={paths.editPost(workspaceId, activity.post_id!)}>{what}</Link> : what)} {after}
    </span>
  );
}
