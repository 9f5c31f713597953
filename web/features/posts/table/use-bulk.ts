import { useEffect, useRef, useState } from "react";
import { deletionAnimationMs } from "../../../lib/timings.ts";
import { type Post, postEndpoints, type PostSummary } from "#contract/posts.ts";
import { call } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { emitPostEvent, removalEvent, type PostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";
import { undoArchives } from "../publishing/undo-archive.ts";
import { useRefreshPosts } from "./use-table-page.ts";

type Leaving = "archive" | "restore" | "purge";

const messages: Readonly<Record<Leaving | "tag", { done: string; failed: string }>> = {
  archive: { done: "archived", failed: "Failed to archive post" },
  restore: { done: "restored as drafts", failed: "Failed to restore post" },
  purge: { done: "purged", failed: "Failed to purge post" },
  tag: { done: "tagged", failed: "Failed to update post" },
};

/** Bulk actions; they return true if all succeeded. Removed rows animate for 500 ms. Source: specification, sections 4 and 9. */
export function useBulk(workspaceId: string) {
  const refresh = useRefreshPosts(workspaceId);
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function run(kind: Leaving | "tag", posts: readonly PostSummary[], act: (post: PostSummary) => Promise<PostEvent | null>) {
    setBusy(true);
    const archived: PostSummary[] = [];
    const { done, refusals } = await toEach(posts, async (post) => {
      const event = await act(post);
      if (event) emitPostEvent(event);
      if (kind === "archive" && event?.type === "post-upserted") archived.push(event.post);
    });
    setBusy(false);
    const undo = archived.length > 0 ? { label: "Undo", onClick: () => void undoArchives(archived).then(refresh) } : undefined;
    if (done.length > 0) toasts.success(`${done.length} ${done.length === 1 ? "post" : "posts"} ${messages[kind].done}`, undefined, undo);
    if (refusals.length > 0) toasts.failure(messages[kind].failed, refusals[0], "Please try again or contact support");
    return done;
  }

  async function removeRows(kind: Leaving, posts: readonly PostSummary[]): Promise<boolean> {
    const ids = (await run(kind, posts, postActions[kind])).map(({ id }) => id);
    setLeaving(new Set(ids));
    timer.current = setTimeout(() => {
      setRemoved(new Set(ids));
      setLeaving(new Set());
      void refresh().finally(() => setRemoved(new Set()));
    }, deletionAnimationMs);
    return ids.length === posts.length;
  }

  return {
    busy,
    leaving,
    /** Removed rows that cached lists still have. */
    removed,
    archive: (posts: readonly PostSummary[]) => removeRows("archive", posts),
    restore: (posts: readonly PostSummary[]) => removeRows("restore", posts),
    purge: (posts: readonly PostSummary[]) => removeRows("purge", posts),
    async tag(posts: readonly PostSummary[], tag: string): Promise<boolean> {
      const done = await run("tag", posts, (post) => postActions.tag(post, tag));
      void refresh();
      return done.length === posts.length;
    },
  };
}
export type Bulk = ReturnType<typeof useBulk>;

const postActions = {
  archive: async (post: PostSummary): Promise<PostEvent> => {
    return removalEvent(post, (await call(postEndpoints.remove, { params: { id: post.id } })).post);
  },
  restore: async ({ id }: PostSummary): Promise<PostEvent> => upserted((await call(postEndpoints.restore, { params: { id } })).post),
  purge: async (post: PostSummary): Promise<PostEvent> => {
    await call(postEndpoints.remove, { params: { id: post.id }, query: { purge: true } });
    return removalEvent(post, null);
  },
  /** `version` protects a colleague's change. Null if the post has the tag. */
  tag: async ({ id, tags, version }: PostSummary, tag: string): Promise<PostEvent | null> =>
    tags.includes(tag)
      ? null
      : upserted((await call(postEndpoints.update, { params: { id }, body: { tags: [...tags, tag], version } })).post),
};

const upserted = (post: Post): PostEvent => ({ type: "post-upserted", workspaceId: post.workspace_id, post: summaryOf(post) });

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
