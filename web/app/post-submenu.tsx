import { useEffect } from "react";
import { NavLink } from "react-router-dom";
import { Button } from "../ui/button.tsx";
import { StatusIcon } from "../features/posts/list/status-icon.tsx";
import { usePostList } from "../features/posts/list/use-post-list.ts";
import { toasts } from "../lib/toasts.ts";
import { paths } from "../lib/paths.ts";
import { Row, Text } from "../ui/layout.tsx";
import css from "./frame.module.css";

interface PostSubmenuProps {
  id: string;
  workspaceId: string;
  onChoose: () => void;
}

/** The workspace's posts, 15 at a time. */
export function PostSubmenu({ id, workspaceId, onChoose }: PostSubmenuProps) {
  const { posts, page, pages, loading, error, loadMore, reload } = usePostList(workspaceId, "all");
  useEffect(() => {
    if (error !== null) toasts.error("Error loading posts", error);
  }, [error]);

  const failure = (
    <Row justify="between" className={css.note}>
      Failed to load
      <Button variant="quiet" size="small" icon="refresh" onClick={page === 0 ? reload : loadMore}>
        Try again
      </Button>
    </Row>
  );
  if (error !== null && page === 0) return <div id={id}>{failure}</div>;
  return (
    <div id={id} className={css.posts} aria-busy={loading}>
      <ul role="list" aria-label="Posts">
        {posts.map((post) => (
          <li key={post.id}>
            <Row as={NavLink} choice nowrap to={paths.editPost(workspaceId, post.id)} className={css.link} onClick={onChoose}>
              <StatusIcon status={post.status} />
              <Text as="span" truncate>
                {post.title || "Untitled"}
              </Text>
            </Row>
          </li>
        ))}
      </ul>
      {loading && <p className={css.note}>Loading posts...</p>}
      {!loading && posts.length === 0 && <p className={css.note}>No posts yet</p>}
      {error !== null && failure}
      {!loading && error === null && page < pages && (
        <Button variant="quiet" size="small" wide onClick={loadMore}>
          Load more
        </Button>
      )}
    </div>
  );
}
