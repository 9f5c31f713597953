import { postEndpoints, type PostSummary } from "#contract/posts.ts";
import { call } from "../../../lib/api-client.ts";

/** What can be done to several posts at once; each throws an ApiError for one post. */
export const postActions = {
  archive: async ({ id }: PostSummary) => void (await call(postEndpoints.remove, { params: { id } })),
  restore: async ({ id }: PostSummary) => void (await call(postEndpoints.restore, { params: { id } })),
  purge: async ({ id }: PostSummary) => void (await call(postEndpoints.remove, { params: { id }, query: { purge: true } })),
  /** `version` keeps a colleague's change of the same moment. */
  tag: async ({ id, tags, version }: PostSummary, tag: string) => {
    if (!tags.includes(tag)) await call(postEndpoints.update, { params: { id }, body: { tags: [...tags, tag], version } });
  },
};

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
