import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import { readCover } from "#contract/rules/cover.ts";
import { tagOf } from "#contract/tags.ts";
import { extensionOf } from "../../releases/presenters/feeds.ts";
import { atPresent, type Exported, type StoredPost } from "./posts.ts";

const absolute = (url: string, origin: string): string => (url.startsWith("/") ? origin + url : url);

function imageOf({ cover_image }: StoredPost, { blocks }: CleanedContent): string | null {
  const cover = readCover(cover_image);
  if (cover === "none") return null;
  if (cover !== null) return cover.url;
  const first = blocks.find((block) => block.type === "image");
  return first?.type === "image" ? first.data.file.url : null;
}

/** JSON Feed 1.1 of all public posts with full content and the public feeds' ids. */
export async function* feed({ workspace, posts, origin, now }: Exported): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const about = {
    version: "https://jsonfeed.org/version/1.1",
    title: workspace.name,
    description: `What's new at ${workspace.name}.`,
    home_page_url: `${origin}/releases`,
    ...(workspace.logo_url && { icon: absolute(workspace.logo_url, origin) }),
    language: "en",
  };
  yield encoder.encode(`${JSON.stringify(about).slice(0, -1)},"items":[`);
  let before = "\n";
  for await (const stored of posts) {
    const post = atPresent(stored, now);
    const content = cleanBlocks(post.content_raw);
    const image = imageOf(post, content);
    const item = {
      id: `urn:uuid:${post.id}`,
      ...(workspace.open && { url: `${origin}/releases/${post.slug}` }),
      title: post.title,
      content_html: blocksToHtml(content, { base: origin }),
      ...(image !== null && { image: absolute(image, origin) }),
      ...(post.excerpt !== "" && { summary: post.excerpt }),
      date_published: new Date(post.published_at!).toISOString(),
      date_modified: new Date(post.updated_at).toISOString(),
      ...(post.author_name && { authors: [{ name: post.author_name }] }),
      ...(post.tags.length > 0 && { tags: post.tags.map((key) => tagOf(key, workspace.tags).label) }),
      ...extensionOf(post),
    };
    yield encoder.encode(before + JSON.stringify(item));
    before = ",\n";
  }
  yield encoder.encode("\n]}\n");
}
