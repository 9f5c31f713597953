import { markdownLine } from "#contract/blocks/inline-to-markdown.ts";
import { readPiece } from "../../v1/posts.ts";
import { dataNotice, toolPostOf } from "../present.ts";
import type { Run } from "../tool.ts";

export const listPosts: Run<"list_posts"> = async (call, { cursor, limit, ...filter }) => {
  const { posts: rows, place, next_cursor } = await readPiece(call.db, call.key.workspaceId, filter, limit, cursor);
  const posts = rows.map((row) => toolPostOf(call, row, place));
  const lines = posts.map(
    (post) =>
      `- **${markdownLine(post.title)}** (${post.status}, version ${post.version}, edited ${post.updated_at.slice(0, 10)})${tagged(post.tags)}\n  id: ${post.id}`,
  );
  const text = [
    posts.length === 0 ? "No posts found." : dataNotice,
    ...lines,
    ...(next_cursor === null ? [] : [`More posts: call list_posts with cursor ${next_cursor}`]),
  ];
  return { text: text.join("\n"), structured: { posts, next_cursor } };
};

const tagged = (tags: readonly string[]): string => (tags.length === 0 ? "" : `, tags: ${tags.map(markdownLine).join(", ")}`);
