import type { CleanedContent } from "#contract/blocks/schema.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import { type CoverImage, readCover } from "#contract/rules/cover.ts";
import { type PostDetails, readDetails } from "#contract/rules/post-details.ts";
import type { Post } from "#contract/posts.ts";
import type { PostRow } from "./queries.ts";
import { type ShownContent, ShownContents } from "./shown-contents.ts";

const contents = new ShownContents(16_777_216);

/** `content`: cleaned by this request; else the stored content is cleaned, as rows may be written without the API. Keeps its time. */
export async function presentPost(row: PostRow, content?: CleanedContent): Promise<Post> {
  return {
    ...row,
    author: row.author as Post["author"],
    cover_image: readCover(row.cover_image),
    details: readDetails(row.details),
    public_changelog_enabled: row.public_changelog_enabled === true,
    ...(content ? await showSaved(content, row.content_raw as { time?: number }) : await contents.of(row.content_raw)),
  };
}

const showSaved = async (content: CleanedContent, { time }: { time?: number }): Promise<ShownContent> => ({
  content_raw: JSON.stringify({ ...content, time }),
  content_md: blocksToHtml(content),
});

type Shown<Row> = Omit<Row, keyof StoredText> & { cover_image: CoverImage; details: PostDetails } & ShownContent;

interface StoredText {
  cover_image: unknown;
  details: unknown;
  content_raw: unknown;
}

export async function presentText<Row extends StoredText>(row: Row): Promise<Shown<Row>> {
  return {
    ...row,
    cover_image: readCover(row.cover_image),
    details: readDetails(row.details),
    ...(await contents.of(row.content_raw)),
  };
}
