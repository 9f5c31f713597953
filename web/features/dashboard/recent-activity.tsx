import { Link } from "react-router-dom";
import type { Activity } from "#contract/workspaces.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { List, Row, Stack, Text } from "../../ui/layout.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";

/** Latest first. */
export function RecentActivity({ workspaceId, activities }: { workspaceId: string; activities: readonly Activity[] }) {
  return (
    <Stack as="section" gap={3} aria-labelledby="recent-activity">
      <h2 id="recent-activity">Recent Activity</h2>
      {activities.length === 0 ? (
        <Text tone="muted">No activity yet</Text>
      ) : (
        <List role="list" aria-labelledby="recent-activity">
          {activities.map((activity) => (
            <Row as="li" key={activity.id} justify="between" align="baseline" gap={4} nowrap>
              <Sentence workspaceId={workspaceId} activity={activity} />
              <RelativeTime at={activity.created_at} />
            </Row>
          ))}
        </List>
      )}
    </Stack>
  );
}

function Sentence({ workspaceId, activity }: { workspaceId: string; activity: Activity }) {
  const words = describeActivity(activity);
  if (!words) return null;
  const { who, before, what, after } = words;
  const there = activity.post_id !== null && activity.kind !== "post_purged";
  return (
    <Text as="span">
      <strong>{who}</strong> {before}{" "}
      {what !== null && (there ? <Link to={paths.editPost(workspaceId, activity.post_id!)}>{what}</Link> : what)} {after}
    </Text>
  );
}

/** Text around the title of the post, person or workspace. */
interface Words {
  before: string;
  /** True if the title follows. */
  hasTitle: boolean;
  after?: string;
}

const words: Readonly<Record<string, Words>> = {
  post_created: { before: "created", hasTitle: true },
  post_updated: { before: "edited", hasTitle: true },
  post_scheduled: { before: "scheduled", hasTitle: true },
  post_unscheduled: { before: "unscheduled", hasTitle: true },
  post_published: { before: "published", hasTitle: true },
  post_archived: { before: "archived", hasTitle: true },
  post_restored: { before: "restored", hasTitle: true },
  post_date_changed: { before: "changed the date of", hasTitle: true },
  post_author_changed: { before: "changed the author of", hasTitle: true },
  post_purged: { before: "purged", hasTitle: true },
  posts_imported: { before: "imported", hasTitle: true },
  import_undone: { before: "undid the import of", hasTitle: true },
  post_unapproved: { before: "changed", hasTitle: true, after: "after approval, so it's back to draft" },
  review_asked: { before: "requested approval for", hasTitle: true },
  review_refused: { before: "requested changes to", hasTitle: true },
  proposal_made: { before: "proposed changes to", hasTitle: true },
  proposal_accepted: { before: "accepted changes to", hasTitle: true },
  proposal_refused: { before: "declined changes to", hasTitle: true },
  member_joined: { before: "joined the team", hasTitle: false },
  member_left: { before: "left the team", hasTitle: false },
  member_removed: { before: "removed", hasTitle: true, after: "from the team" },
  role_changed: { before: "changed the role of", hasTitle: true },
  ownership_handed_over: { before: "transferred ownership to", hasTitle: true },
  changelog_opened: { before: "turned the public changelog on", hasTitle: false },
  changelog_closed: { before: "turned the public changelog off", hasTitle: false },
};

/** Undefined for activity kinds that this version doesn't know. */
function describeActivity({
  kind,
  actor_name,
  title,
}: Activity): { who: string; before: string; what: string | null; after: string } | undefined {
  const phrase = words[kind];
  if (!phrase) return undefined;
  const who = actor_name ?? (kind === "post_published" ? "The schedule" : "Someone");
  return { who, before: phrase.before, what: phrase.hasTitle ? title || "Untitled" : null, after: phrase.after ?? "" };
}

interface NoPostsProps {
  workspaceId: string;
  canWrite: boolean;
  hasArchive: boolean;
}

/** Dashboard without active posts. */
export function NoPosts({ workspaceId, canWrite, hasArchive }: NoPostsProps) {
  return (
    <EmptyState
      drawing="page"
      level={2}
      title={canWrite ? "Create your first post" : "No posts yet"}
      text={canWrite ? "Tell readers what's new. It stays a draft until you publish it." : "Posts by your team will appear here."}
      action={
        <>
          {canWrite && (
            <ButtonLink to={paths.newPost(workspaceId)} variant="primary" icon="pencil">
              Write a post
            </ButtonLink>
          )}
          {hasArchive && <Link to="?q=status:archived">View archived posts</Link>}
        </>
      }
    />
  );
}
