import { AppError } from "../../../_shared/errors.ts";
import { savePost } from "../../posts/queries.ts";
import { withKeysOfTags } from "../../tags.ts";
import { toldOf } from "../present.ts";
import { editorLink, type Run, ToolProblem } from "../tool.ts";
import { postAt, rewrittenContent, shownPost } from "../writing.ts";

/** The text of a draft; never that of a post that readers see, or will see without anybody looking at it again, whatever the key may. */
export const updateDraft: Run<"update_draft"> = async (call, { id, expected_version, markdown, tags, ...fields }) => {
  const { db, env } = call;
  const row = await postAt(call, id, expected_version);
  if (row.status === "archived") throw new AppError("archived_post_locked");
  if (row.status !== "draft") {
    const why =
      row.status === "published" ? "readers see this post" : "this post is scheduled and comes out without anybody looking at it again";
    throw new ToolProblem(
      `Nothing was changed: ${why}. Call propose_change with the same arguments: a person of the team decides about it. ` +
        `A person can also change it at ${editorLink(call, id)}`,
    );
  }
  const content_raw = markdown === undefined ? undefined : await rewrittenContent(row, markdown, env.publicUrl);
  const saved = await withKeysOfTags(call, tags, (keys) =>
    savePost(db, id, { ...fields, ...(content_raw && { content_raw }), ...(keys && { tags: keys }) }, expected_version),
  );
  const shown = await shownPost(call, saved);
  const said =
    shown.version === expected_version
      ? `The draft says this already: it stays as it is, version ${shown.version}.`
      : `The draft is changed. Its version is ${shown.version} now; what it said before is kept in its history.`;
  return { text: toldOf(said, shown), structured: { post: shown } };
};
