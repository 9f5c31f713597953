import { publishPost } from "../publish-post.ts";
import type { Run } from "../tool.ts";

export const schedule: Run<"schedule"> = (call, { id, expected_version, publish_at, notify }) =>
  publishPost(call, { id, expected_version, publish_at, notify }, "scheduled");
