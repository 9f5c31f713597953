import type { z } from "zod";
import { toolReview } from "#contract/mcp/tools.ts";
import type { PostRow } from "../posts/queries.ts";
import { askReview } from "../reviews/queries.ts";
import { editorLink, type ToolCall } from "./tool.ts";

export interface RequestedReview {
  review: z.output<typeof toolReview>;
  words: string;
}

export async function askAt(
  call: ToolCall,
  { id, version }: Pick<PostRow, "id" | "version">,
  { publish_at, note }: { publish_at?: string | undefined; note?: string | null | undefined },
): Promise<RequestedReview> {
  const args = { version, ...(publish_at !== undefined && { publish_at }), ...(note !== undefined && { note }) };
  const review = toolReview.parse(await askReview(call.db, id, args, null));
  const when = publish_at === undefined ? "published" : `scheduled for ${publish_at}`;
  return {
    review,
    words:
      `Requested approval of version ${version}. Once an owner or admin approves it, it will be ${when}. ` +
      `It's waiting at ${editorLink(call, id)}\n\n` +
      "The key's owner can't approve it, but can publish it there if the workspace allows that.",
  };
}
