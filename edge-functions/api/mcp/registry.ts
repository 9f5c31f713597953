import type { ToolName } from "#contract/mcp/tools.ts";
import type { Run } from "./tool.ts";
import { createDraft } from "./tools/create-draft.ts";
import { getPost } from "./tools/get-post.ts";
import { getStats } from "./tools/get-stats.ts";
import { listPosts } from "./tools/list-posts.ts";
import { listTagsTool } from "./tools/list-tags.ts";
import { propose } from "./tools/propose-change.ts";
import { publish } from "./tools/publish.ts";
import { releaseNotesContext } from "./tools/release-notes-context.ts";
import { requestReview } from "./tools/request-review.ts";
import { schedule } from "./tools/schedule.ts";
import { searchPublic } from "./tools/search-public.ts";
import { updateDraft } from "./tools/update-draft.ts";
import { uploadImage } from "./tools/upload-image.ts";

export const runs: { readonly [Name in ToolName]: Run<Name> } = {
  list_posts: listPosts,
  get_post: getPost,
  search_public: searchPublic,
  list_tags: listTagsTool,
  create_draft: createDraft,
  update_draft: updateDraft,
  propose_change: propose,
  request_review: requestReview,
  schedule,
  publish,
  upload_image: uploadImage,
  get_stats: getStats,
  release_notes_context: releaseNotesContext,
};
