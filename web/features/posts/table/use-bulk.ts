import { useEffect, useRef, useState } from "react";
import { deletionAnimationMs } from "../../../lib/timings.ts";
import { type Post, postEndpoints, type PostSummary } from "#contract/posts.ts";
import { ApiError, call } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { emitPostEvent, removalEvent, type PostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";
import { undoArchives } from "../publishing/undo-archive.ts";
import { useRefreshPosts } from "./use-table-page.ts";

type Leaving = "archive" | "restore" | "purge";

const said: Readonly<Record<Leaving | "tag", { done: string; failed: string }>> = {
  archive: { done: "archived", failed: "Failed to archive post" },
  restore: { done: "restored as drafts", failed: "Failed to restore post" },
  purge: { done: "purged", failed: "Failed to purge post" },
  tag: { done: "tagged", failed: "Failed to update post" },
};

/** Actions on the selected posts. Rows that go take 500 ms to do so. Source: specification, sections 4 and 9. */
export function useBulk(workspaceId: string) {
  const refresh = useRefreshPosts(workspaceId);
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function run(kind: Leaving | "tag", posts: readonly PostSummary[], act: (post: PostSummary) => Promise<PostEvent | null>) {
    setBusy(true);
    const archived: PostSummary[] = [];
    const { done, refusals } = await toEach(posts, async (post) => {
      const event = await act(post);
      if (event) emitPostEvent(event); // other lists on the page follow
      if (kind === "archive" && event?.type === "post-upserted") archived.push(event.post);
    });
    setBusy(false);
    const undo = archived.length > 0 ? { label: "Undo", onClick: () => void undoArchives(archived).then(refresh) } : undefined;
    if (done.length > 0) toasts.success(`${done.length} ${done.length === 1 ? "post" : "posts"} ${said[kind].done}`, undefined, undo);
    const told = refusals.find((error) => !(error instanceof ApiError && error.code === "unauthenticated"));
    if (told) toasts.error(said[kind].failed, told instanceof ApiError ? told.message : "Please try again or contact support");
    return done;
  }

  async function away(kind: Leaving, posts: readonly PostSummary[]) {
    const ids = (await run(kind, posts, postActions[kind])).map(({ id }) => id);
    setLeaving(new Set(ids));
    timer.current = setTimeout(() => {
      setGone(new Set(ids));
      setLeaving(new Set());
      void refresh().finally(() => setGone(new Set())); // the lists no longer have them
    }, deletionAnimationMs);
  }

  return {
    busy,
    leaving,
    /** Rows that the lists in memory still have. */
    gone,
    archive: (posts: readonly PostSummary[]) => away("archive", posts),
    restore: (posts: readonly PostSummary[]) => away("restore", posts),
    purge: (posts: readonly PostSummary[]) => away("purge", posts),
    async tag(posts: readonly PostSummary[], tag: string): Promise<void> {
      await run("tag", posts, (post) => postActions.tag(post, tag));
      void refresh(); // what is ticked meanwhile is another selection
    },
  };
}
export type Bulk = ReturnType<typeof useBulk>;

/** What can be done to several posts at once; each answers what happened to one post, or throws an ApiError. */
const postActions = {
  archive: async (post: PostSummary): Promise<PostEvent> => {
    return removalEvent(post, (await call(postEndpoints.remove, { params: { id: post.id } })).post);
  },
  restore: async ({ id }: PostSummary): Promise<PostEvent> => upserted((await call(postEndpoints.restore, { params: { id } })).post),
  purge: async (post: PostSummary): Promise<PostEvent> => {
    await call(postEndpoints.remove, { params: { id: post.id }, query: { purge: true } });
    return removalEvent(post, null);
  },
  /** `version` keeps a colleague's change of the same moment. Null: it has the tag. */
  tag: async ({ id, tags, version }: PostSummary, tag: string): Promise<PostEvent | null> =>
    tags.includes(tag)
      ? null
      : upserted((await call(postEndpoints.update, { params: { id }, body: { tags: [...tags, tag], version } })).post),
};

const upserted = (post: Post): PostEvent => ({ type: "post-upserted", workspaceId: post.workspace_id, post: summaryOf(post) });

/** Does something to each post, one after the other, and answers those it worked for and why it did not for the others. */
async function toEach(posts: readonly PostSummary[], act: (post: PostSummary) => Promise<void>) {
  const done: PostSummary[] = [];
  const refusals: unknown[] = [];
  for (const post of posts) {
    try {
      await act(post);
      done.push(post);
    } catch (error) {
      refusals.push(error);
    }
  }
  return { done, refusals };
}
