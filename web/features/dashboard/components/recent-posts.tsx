import { Link, useNavigate } from "react-router-dom";
import type { PostSummary } from "#contract/posts.ts";
import { creatorName } from "#contract/rules/creator-name.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import { paths } from "../../../app/paths.ts";
import { StatusBadge } from "../../../components/status-badge.tsx";
import css from "./recent-posts.module.css";

/** The posts touched last; a click anywhere in a row opens the post, the title is the link for the keyboard. */
export function RecentPosts({ workspaceId, posts }: { workspaceId: string; posts: readonly PostSummary[] }) {
  const navigate = useNavigate();
  const now = new Date();
  return (
    <section aria-labelledby="recent-posts">
      <header className={css.head}>
        <h2 id="recent-posts">Recent posts</h2>
        <Link to={paths.changelog(workspaceId)}>View all posts</Link>
      </header>
      <table className={css.table} aria-labelledby="recent-posts">
        <thead>
          <tr>
            <th scope="col">CHANGELOG POST</th>
            <th scope="col">STATUS</th>
            <th scope="col">CREATOR</th>
            <th scope="col">LAST ACTIVITY</th>
          </tr>
        </thead>
        <tbody>
          {posts.map((post) => (
            <tr key={post.id} onClick={() => void navigate(paths.editPost(workspaceId, post.id))}>
              <td className={css.post}>
                <Link to={paths.editPost(workspaceId, post.id)} onClick={(event) => event.stopPropagation()}>
                  {post.title || "Untitled"}
                </Link>
                {post.excerpt && <span className={css.excerpt}>{post.excerpt}</span>}
              </td>
              <td className={css.status}>
                <StatusBadge status={statusAt(post, now)} />
              </td>
              <td className={css.creator}>{creatorName(post)}</td>
              <td className={css.when}>
                <time dateTime={post.updated_at} title={new Date(post.updated_at).toLocaleString()}>
                  {relativeTime(post.updated_at, now)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
