import { publishPost } from "../publish-post.ts";
import type { Run } from "../tool.ts";

export const publish: Run<"publish"> = (call, { id, expected_version, notify }) =>
  publishPost(call, { id, expected_version, notify }, "published");
