import type { Activity } from "#contract/workspaces.ts";

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
  post_purged: { before: "purged", named: true },
  member_joined: { before: "joined the team", named: false },
  member_left: { before: "left the team", named: false },
  member_removed: { before: "removed", named: true, after: "from the team" },
  role_changed: { before: "changed the role of", named: true },
  ownership_handed_over: { before: "handed the workspace over to", named: true },
  changelog_opened: { before: "turned the public changelog on", named: false },
  changelog_closed: { before: "turned the public changelog off", named: false },
};

/** Who did it, in which words, to what (null: nothing to name). A kind this version does not know is left out: undefined. */
export function activityWords({
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
