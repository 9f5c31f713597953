import type { OutputData } from "@editorjs/editorjs";
import { mergeVersions, settle } from "#contract/merge/merge-versions.ts";
import { emptyFields, type PostContent } from "#contract/rules/post-content.ts";
import { fromEditor } from "./editor-content.ts";

type Blocks = OutputData["blocks"];

/** Applies the change between `from` and `to` to `state`. In conflicts, `state` wins. */
export function mergeBlocks(from: Blocks, state: Blocks, to: Blocks): Blocks {
  const merge = mergeVersions(versionOf(from), versionOf(state), versionOf(to));
  const blocks = merge.blocks.flatMap((place) => ("collision" in place ? [[place.collision.id, "theirs"] as const] : []));
  return [...(settle(merge, { blocks: Object.fromEntries(blocks) })?.blocks ?? versionOf(to).blocks)];
}

const versionOf = (blocks: Blocks): PostContent => ({
  ...emptyFields,
  blocks: fromEditor({ blocks } as OutputData).blocks,
});
