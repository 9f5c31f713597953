import { markdownLine } from "#contract/blocks/inline-to-markdown.ts";
import { AppError } from "../../../_shared/errors.ts";
import { proposeChange } from "../../reviews/queries.ts";
import { withKeysOfTags } from "../../tags.ts";
import { editorLink, type Run, ToolProblem } from "../tool.ts";
import { contentOfRow, postAt, rewrittenContent } from "../writing.ts";

/** Readers see nothing of it until somebody else than the one whose key this is accepts it (decision 26). */
export const propose: Run<"propose_change"> = async (call, { id, expected_version, title, markdown, summary, tags, note }) => {
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
    };
    if (!differs(content, { ...row, content_raw: present }))
      throw new ToolProblem("Nothing was proposed: the post says all of this already.");
    return proposeChange(db, id, { version: expected_version, note, content }, null);
  });
  const { id: proposalId, post_id, base_version, state, ...rest } = proposed;
  const proposal = { id: proposalId, post_id, base_version, state, title: rest.title, note: rest.note, proposed_at: rest.proposed_at };
  const review_url = `${editorLink(call, id)}?proposal=${proposalId}`;
  const text =
    `Proposed: ${markdownLine(proposal.title)}. Readers see the post as it was until an owner or administrator accepts it at ${review_url}\n\n` +
    "The person whose key this is cannot accept it, but can take it into the editor there and save it. What you propose for this post before it is decided takes its place.";
  return { text, structured: { proposal, review_url } };
};

interface Said {
  title: string;
  summary: string | null;
  tags: readonly string[];
  content_raw: { blocks: readonly unknown[] };
}
const differs = (one: Said, other: Said): boolean => JSON.stringify(said(one)) !== JSON.stringify(said(other));
const said = ({ title, summary, tags, content_raw }: Said) => [title, summary, tags, content_raw.blocks];
