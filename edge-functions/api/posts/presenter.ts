import { cleaning } from "#contract/blocks/clean.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { htmlOfBlocks } from "#contract/blocks/to-html.ts";
import { type CoverImage, readCover } from "#contract/rules/cover.ts";
import type { Post } from "#contract/posts.ts";
import { inTurns } from "../../_shared/in-turns.ts";
import type { PostRow } from "./queries.ts";

/**
 * `content` is what this very request has cleaned and saved; else what is stored is cleaned on the way out: a row may have been written past the
 * API. The time in it is the stored one: a save that changes nothing else does not change it.
 */
export async function presentPost(row: PostRow, content?: CleanedContent): Promise<Post> {
  const { time } = row.content_raw as { time?: number };
  const cleaned = content ?? (await inTurns(cleaning(row.content_raw)));
  return {
    ...row,
    author: row.author as Post["author"],
    cover_image: readCover(row.cover_image),
    public_changelog_enabled: row.public_changelog_enabled === true,
    content_raw: JSON.stringify(content ? { ...content, time } : cleaned),
    content_md: await inTurns(htmlOfBlocks(cleaned)),
  };
}

type Shown<Row> = Omit<Row, "cover_image" | "content_raw"> & { cover_image: CoverImage; content_raw: string; content_md: string };

/** A post's text as a version or a proposal keeps it, likewise cleaned on the way out. */
export async function presentText<Row extends { cover_image: unknown; content_raw: unknown }>(row: Row): Promise<Shown<Row>> {
  const content = await inTurns(cleaning(row.content_raw));
  return {
    ...row,
    cover_image: readCover(row.cover_image),
    content_raw: JSON.stringify(content),
    content_md: await inTurns(htmlOfBlocks(content)),
  };
}
