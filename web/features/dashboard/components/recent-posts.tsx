import { Link } from "react-router-dom";
import type { PostSummary } from "#contract/posts.ts";
import { paths } from "../../../app/paths.ts";
import { PostsTable } from "../../posts-table/components/posts-table.tsx";
import css from "./recent-posts.module.css";

interface RecentPostsProps {
  workspaceId: string;
  /** The posts touched last, and how many there are in all. */
  posts: readonly PostSummary[];
  count: number;
  canWrite: boolean;
}

/** The workspace's posts in a table, under their heading. */
export function RecentPosts({ workspaceId, posts, count, canWrite }: RecentPostsProps) {
  return (
    <section aria-labelledby="recent-posts">
      <header className={css.head}>
        <h2 id="recent-posts">Recent posts</h2>
        <Link to={paths.changelog(workspaceId)}>View all posts</Link>
      </header>
      <PostsTable workspaceId={workspaceId} labelledBy="recent-posts" canWrite={canWrite} known={{ posts, count }} />
    </section>
  );
}
