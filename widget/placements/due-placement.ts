import type { Placement } from "#contract/rules/placement.ts";

interface Placed {
  id: string;
  placement: Placement | null;
}
type Due<Post> = Post & { placement: Placement };

/** The first post whose placement is due; `posts` are newest first. `closedAt`: when this browser closed it, ever or in this session (milliseconds). */
export function duePlacement<Post extends Placed>(
  posts: readonly Post[],
  closedAt: (post: Post, inSession: boolean) => number | undefined,
  now: number,
): Due<Post> | undefined {
  return posts.find((post): post is Due<Post> => {
    if (post.placement === null) return false;
    const { from, until, again } = post.placement;
    if ((from !== null && Date.parse(from) > now) || (until !== null && Date.parse(until) <= now)) return false;
    const closed = closedAt(post, again === "session");
    return closed === undefined || (typeof again === "number" && now - closed >= again * 86_400_000);
  });
}
