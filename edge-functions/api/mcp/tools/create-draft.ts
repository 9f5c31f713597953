import { AppError } from "../../../_shared/errors.ts";
import type { PostRow } from "../../posts/queries.ts";
import { json, rows } from "../../result.ts";
import { withKeysOfTags } from "../../tags.ts";
import { contentOf } from "../../v1/content.ts";
import { withDetails } from "../../v1/presenter.ts";
import { toldOf } from "../present.ts";
import { type Run, type ToolCall, ToolProblem } from "../tool.ts";
import { shownPost } from "../writing.ts";

export const createDraft: Run<"create_draft"> = async (call, { markdown, tags, external_id, ...fields }) => {
  const { db, env, key } = call;
  const content = await contentOf({ markdown }, env.publicUrl);
  const workspace = { workspace_id: key.workspaceId };
  const row = await withKeysOfTags(call, tags, (keys) => {
    const post = { ...withDetails(fields), content_raw: content, tags: keys, status: "draft" };
    return external_id === undefined
      ? rows(db.rpc("create_post", { ...workspace, ...post }))
      : makeOnce(call, external_id, { ...workspace, post });
  });
  const shown = await shownPost(call, row);
  const words = `The draft was created. Only the team can see it; a person publishes it at ${shown.edit_url}`;
  return { text: toldOf(words, shown), structured: { post: shown } };
};

async function makeOnce(call: ToolCall, externalId: string, args: { workspace_id: string; post: object }): Promise<PostRow> {
  const externalKey = { workspace_id: args.workspace_id, external_id: externalId };
  try {
    return (await json<{ post: PostRow }>(call.db.rpc("put_post", { ...args, ...externalKey, only_new: true } as never))).post;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "version_conflict") throw error;
    if (!call.key.scopes.includes("posts:read")) throw new ToolProblem("Nothing was created: a post with this external_id exists.");
    const shown = await shownPost(call, await rows(call.db.rpc("read_post", externalKey)));
    const advice = shown.status === "draft" ? "Read it with get_post and change it with update_draft." : "Read it with get_post.";
    throw new ToolProblem(toldOf(`Nothing was created: a post with this external_id exists. ${advice}`, shown));
  }
}
