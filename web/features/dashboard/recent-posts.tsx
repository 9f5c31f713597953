import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { PostsTable } from "../posts/table/posts-table.tsx";
import css from "./recent-posts.module.css";

interface RecentPostsProps {
  workspaceId: string;
  /** Whom the table's filter offers. */
  creators: readonly string[];
  canWrite: boolean;
}

/** The workspace's posts in a table, under their heading. */
export function RecentPosts({ workspaceId, creators, canWrite }: RecentPostsProps) {
  return (
    <section aria-labelledby="recent-posts">
      <header className={css.head}>
        <h2 id="recent-posts">Recent posts</h2>
        <Link to={paths.changelog(workspaceId)}>View all posts</Link>
      </header>
      <PostsTable workspaceId={workspaceId} labelledBy="recent-posts" canWrite={canWrite} creators={creators} />
    </section>
  );
}
