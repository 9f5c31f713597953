import { markdownLine } from "#contract/blocks/inline-to-markdown.ts";
import { type PostDetails, readDetails } from "#contract/rules/post-details.ts";
import { AppError } from "../../../_shared/errors.ts";
import { proposeChange } from "../../reviews/queries.ts";
import { withKeysOfTags } from "../../tags.ts";
import { withDetails } from "../../v1/presenter.ts";
import { editorLink, type Run, ToolProblem } from "../tool.ts";
import { contentOfRow, postAt, rewrittenContent } from "../writing.ts";

/** Readers see it only after someone other than the key's owner accepts it (decision 26). */
export const propose: Run<"propose_change"> = async (call, { id, expected_version, title, markdown, summary, tags, note, ...fields }) => {
  const { db, env } = call;
  const row = await postAt(call, id, expected_version);
  if (row.status === "archived") throw new AppError("archived_post_locked");
  if (row.status === "draft") throw new ToolProblem("Nothing was proposed: this post is a draft. Change it with update_draft.");
  const present = await contentOfRow(row);
  const content_raw = markdown === undefined ? present : await rewrittenContent(row, markdown, env.publicUrl);
  const proposed = await withKeysOfTags(call, tags, (keys) => {
    const content = {
      title: title ?? row.title,
      summary: summary === undefined ? row.summary : summary,
      tags: keys ?? row.tags,
      content_raw,
      details: readDetails({ ...(row.details as object | null), ...withDetails(fields).details }),
    };
    if (!differs(content, { ...row, content_raw: present, details: readDetails(row.details) }))
      throw new ToolProblem("Nothing was proposed: the post already says this.");
    return proposeChange(db, id, { version: expected_version, note, content }, null);
  });
  const { id: proposalId, post_id, base_version, state, ...rest } = proposed;
  const proposal = { id: proposalId, post_id, base_version, state, title: rest.title, note: rest.note, proposed_at: rest.proposed_at };
  const review_url = `${editorLink(call, id)}?proposal=${proposalId}`;
  const text =
    `Proposed: ${markdownLine(proposal.title)}. The public post stays unchanged until an owner or admin accepts it at ${review_url}\n\n` +
    "The key's owner can't accept it, but can open it in the editor there and save it. Another proposal for this post replaces this one while it's undecided.";
  return { text, structured: { proposal, review_url } };
};

interface PostFields {
  title: string;
  summary: string | null;
  tags: readonly string[];
  content_raw: { blocks: readonly unknown[] };
  details: PostDetails;
}
const differs = (one: PostFields, other: PostFields): boolean => JSON.stringify(fieldsOf(one)) !== JSON.stringify(fieldsOf(other));
const fieldsOf = ({ title, summary, tags, content_raw, details }: PostFields) => [title, summary, tags, content_raw.blocks, details];
