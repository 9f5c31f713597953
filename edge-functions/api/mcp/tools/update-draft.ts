import { AppError } from "../../../_shared/errors.ts";
import { savePost } from "../../posts/queries.ts";
import { withKeysOfTags } from "../../tags.ts";
import { withDetails } from "../../v1/presenter.ts";
import { toldOf } from "../present.ts";
import { editorLink, type Run, ToolProblem } from "../tool.ts";
import { postAt, rewrittenContent, shownPost } from "../writing.ts";

/** Drafts only: public and scheduled posts would change without a person seeing it, whatever the key's scopes. */
export const updateDraft: Run<"update_draft"> = async (call, { id, expected_version, markdown, tags, ...fields }) => {
  const { db, env } = call;
  const row = await postAt(call, id, expected_version);
  if (row.status === "archived") throw new AppError("archived_post_locked");
  if (row.status !== "draft") {
    const why = row.status === "published" ? "the post is public" : "the post is scheduled and will be published without another look";
    throw new ToolProblem(
      `Nothing was changed: ${why}. Call propose_change with the same arguments, so a team member can decide. ` +
        `A person can also change it at ${editorLink(call, id)}`,
    );
  }
  const content_raw = markdown === undefined ? undefined : await rewrittenContent(row, markdown, env.publicUrl);
  const saved = await withKeysOfTags(call, tags, (keys) =>
    savePost(db, id, { ...withDetails(fields), ...(content_raw && { content_raw }), ...(keys && { tags: keys }) }, expected_version),
  );
  const shown = await shownPost(call, saved);
  const summaryText =
    shown.version === expected_version
      ? `Nothing changed: the draft already says this. Its version is still ${shown.version}.`
      : `The draft was updated. Its version is now ${shown.version}; the previous text is in its history.`;
  return { text: toldOf(summaryText, shown), structured: { post: shown } };
};
