import { postSummary, type Post, type PostSummary } from "#contract/posts.ts";

export const summaryOf = (post: Post): PostSummary => postSummary.parse(post);
