import { paths } from "../../../app/paths.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";

/** The dashboard before the first post. */
export function NoPosts({ workspaceId, canWrite }: { workspaceId: string; canWrite: boolean }) {
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
    </section>
  );
}
