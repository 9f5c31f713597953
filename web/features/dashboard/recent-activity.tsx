import { Link } from "react-router-dom";
import { relativeTime } from "#contract/rules/relative-time.ts";
import type { Activity } from "#contract/workspaces.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { moment } from "../../lib/moment.ts";
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
            <time className={css.when} dateTime={activity.created_at} title={moment(activity.created_at)}>
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

/** What somebody did, around the name of the post, person or workspace it was done to. */
interface Words {
  before: string;
  /** The title follows. */
  named: boolean;
  after?: string;
}

const words: Readonly<Record<string, Words>> = {
  post_created: { before: "created", named: true },
  post_updated: { before: "edited", named: true },
  post_scheduled: { before: "scheduled", named: true },
  post_unscheduled: { before: "took", named: true, after: "off the schedule" },
  post_published: { before: "published", named: true },
  post_archived: { before: "archived", named: true },
  post_restored: { before: "restored", named: true },
  post_date_changed: { before: "dated", named: true, after: "back" },
  post_author_changed: { before: "named another author of", named: true },
  post_purged: { before: "purged", named: true },
  posts_imported: { before: "imported", named: true },
  import_undone: { before: "took back the import of", named: true },
  post_unapproved: { before: "changed", named: true, after: "after it was approved: it is a draft again" },
  review_asked: { before: "asked for approval of", named: true },
  review_refused: { before: "did not approve", named: true },
  proposal_made: { before: "proposed changes to", named: true },
  proposal_accepted: { before: "accepted changes to", named: true },
  proposal_refused: { before: "did not accept changes to", named: true },
  member_joined: { before: "joined the team", named: false },
  member_left: { before: "left the team", named: false },
  member_removed: { before: "removed", named: true, after: "from the team" },
  role_changed: { before: "changed the role of", named: true },
  ownership_handed_over: { before: "handed the workspace over to", named: true },
  changelog_opened: { before: "turned the public changelog on", named: false },
  changelog_closed: { before: "turned the public changelog off", named: false },
};

/** Who did it, in which words, to what (null: nothing to name). A kind this version does not know is left out: undefined. */
function activityWords({
  kind,
  actor_name,
  title,
}: Activity): { who: string; before: string; what: string | null; after: string } | undefined {
  const said = words[kind];
  if (!said) return undefined;
  // What nobody did, the schedule did.
  const who = actor_name ?? (kind === "post_published" ? "The schedule" : "Somebody");
  return { who, before: said.before, what: said.named ? title || "Untitled" : null, after: said.after ?? "" };
}

interface NoPostsProps {
  workspaceId: string;
  canWrite: boolean;
  hasArchive: boolean;
}

/** The dashboard before the first post, or when all are archived. */
export function NoPosts({ workspaceId, canWrite, hasArchive }: NoPostsProps) {
  return (
    <section aria-labelledby="recent-activity">
      <h2 id="recent-activity">Recent Activity</h2>
      <EmptyState
        drawing="page"
        level={3}
        title={canWrite ? "Create your first post" : "Nothing has been written yet"}
        text={
          canWrite
            ? "Tell your readers what is new. It stays a draft until you publish it."
            : "Posts appear here as soon as a teammate writes one."
        }
        action={
          canWrite && (
            <ButtonLink to={paths.newPost(workspaceId)} variant="primary" icon="pencil">
              Write a post
            </ButtonLink>
          )
        }
      />
      {hasArchive && (
        <p className={css.archive}>
          <Link to="?q=status:archived">Look into the archive</Link>
        </p>
      )}
    </section>
  );
}
