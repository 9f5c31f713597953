import { listTags } from "../../tags.ts";
import { offeredTags } from "../../v1/tags.ts";
import { lineOf } from "../present.ts";
import type { Run } from "../tool.ts";

export const listTagsTool: Run<"list_tags"> = async ({ db, key }) => {
  const tags = offeredTags(await listTags(db, key.workspaceId));
  const lines = tags.map(({ key, label, posts }) => `- ${lineOf(label)} (key: ${key}), on ${posts} ${posts === 1 ? "post" : "posts"}`);
  return { text: lines.join("\n"), structured: { tags } };
};
