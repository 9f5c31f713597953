import { postEndpoints, type Post, type PostSummary } from "#contract/posts.ts";
import { call } from "../../../lib/api-client.ts";
import { goneFrom, type PostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";

/** What can be done to several posts at once; each answers what happened to one post, or throws an ApiError. */
export const postActions = {
  archive: async (post: PostSummary): Promise<PostEvent> => {
    return goneFrom(post, (await call(postEndpoints.remove, { params: { id: post.id } })).post);
  },
  restore: async ({ id }: PostSummary): Promise<PostEvent> => upserted((await call(postEndpoints.restore, { params: { id } })).post),
  purge: async (post: PostSummary): Promise<PostEvent> => {
    await call(postEndpoints.remove, { params: { id: post.id }, query: { purge: true } });
    return goneFrom(post, null);
  },
  /** `version` keeps a colleague's change of the same moment. Null: it has the tag. */
  tag: async ({ id, tags, version }: PostSummary, tag: string): Promise<PostEvent | null> =>
    tags.includes(tag)
      ? null
      : upserted((await call(postEndpoints.update, { params: { id }, body: { tags: [...tags, tag], version } })).post),
};

const upserted = (post: Post): PostEvent => ({ type: "post-upserted", workspaceId: post.workspace_id, post: summaryOf(post) });

/** Does something to each post, one after the other, and answers those it worked for and why it did not for the others. */
export async function toEach(posts: readonly PostSummary[], act: (post: PostSummary) => Promise<void>) {
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
