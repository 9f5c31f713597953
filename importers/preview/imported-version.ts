import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { pathOfFile, withImages } from "../images.ts";
import type { PreparedPost } from "../entry.ts";
import { readCover } from "#contract/rules/cover.ts";
import { readDetails } from "#contract/rules/post-details.ts";
import { emptyFields, type PostFields } from "#contract/rules/post-content.ts";
import { newTagLabel, type TagMapping } from "./tag-mapping.ts";

export interface ImportedVersion extends PostFields {
  content: EditorOutput;
}

/** External images are shown from their origin; local files can't be shown before upload. */
export function importedVersion(entry: PreparedPost, mapping: TagMapping): ImportedVersion {
  const shown = new Map(entry.images.filter((url) => pathOfFile(url) === null).map((url) => [url, { url }]));
  const { post } = withImages(entry, shown);
  const tags = (post.tags ?? []).flatMap((name) => {
    const target = mapping.get(name);
    if (target?.kind === "key") return target.key;
    return target?.kind === "new" ? newTagLabel(name) : [];
  });
  return {
    ...{ ...emptyFields, title: post.title, tags: [...new Set(tags)], summary: post.summary ?? "" },
    cover_image: readCover(post.cover_image),
    details: readDetails(post.details),
    content: cleanBlocks(post.blocks),
  };
}
