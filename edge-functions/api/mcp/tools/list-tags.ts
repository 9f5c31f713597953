import { listTags } from "../../tags.ts";
import { offeredTags } from "../../v1/tags.ts";
import { tagLine } from "../present.ts";
import type { Run } from "../tool.ts";

export const listTagsTool: Run<"list_tags"> = async ({ db, key }) => {
  const tags = offeredTags(await listTags(db, key.workspaceId));
  const lines = tags.map(tagLine);
  return { text: lines.join("\n"), structured: { tags } };
};
