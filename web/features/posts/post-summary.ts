import { postSummary, type Post, type PostSummary } from "#contract/posts.ts";

/** A post as lists carry it: without its content. */
export const summaryOf = (post: Post): PostSummary => postSummary.parse(post);
