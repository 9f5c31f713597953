import { json } from "../../result.ts";
import { readCursor, writeCursor } from "../../v1/cursor.ts";
import { endOfPiece, type Piece } from "../../v1/posts.ts";
import { dataNotice, lineOf, toolPostOf } from "../present.ts";
import type { Run } from "../tool.ts";

export const listPosts: Run<"list_posts"> = async (call, { cursor, limit, ...filter }) => {
  const after = readCursor(cursor, endOfPiece) ?? null;
  const asked = { workspace_id: call.key.workspaceId, filter, after, size: limit };
  const { posts: found, next, address } = await json<Piece>(call.db.rpc("posts_after", asked));
  const posts = found.map((row) => toolPostOf(call, row, address));
  const next_cursor = next && writeCursor(next);
  const lines = posts.map(
    (post) =>
      `- **${lineOf(post.title)}** (${post.status}, version ${post.version}, edited ${post.updated_at.slice(0, 10)})${tagged(post.tags)}\n  id: ${post.id}`,
  );
  const text = [
    posts.length === 0 ? "There are no such posts." : dataNotice,
    ...lines,
    ...(next_cursor === null ? [] : [`There are more: call list_posts again with cursor ${next_cursor}`]),
  ];
  return { text: text.join("\n"), structured: { posts, next_cursor } };
};

const tagged = (tags: readonly string[]): string => (tags.length === 0 ? "" : `, tags: ${tags.map(lineOf).join(", ")}`);
