import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import css from "./no-posts.module.css";

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
