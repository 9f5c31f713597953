import { postSummary, type Post, type PostSummary } from "#contract/posts.ts";

/** A post without its content, as lists show it. */
export const summaryOf = (post: Post): PostSummary => postSummary.parse(post);
