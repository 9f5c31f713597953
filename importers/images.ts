import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import type { PreparedPost } from "./entry.ts";
import { figure } from "#contract/rules/figure.ts";

/** Where files are that came along: an address that no browser finds, so that `../images/a.png` of a file is told as any other is. */
const cameAlong = "https://came-along.invalid/";

/** The address of a file that came along, by its path: the `base` of what stands in it, and how its pictures are called in blocks. */
export const addressOfFile = (path: string): string =>
  new URL(path.toWellFormed().split("/").map(encodeURIComponent).join("/"), cameAlong).href.replaceAll("'", "%27");

/** The path in `ReadSource.images` of a picture that came along; null for the address of any other. */
export function pathOfFile(address: string): string | null {
  if (!address.startsWith(cameAlong)) return null;
  const { pathname } = new URL(address);
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return pathname.slice(1);
  }
}

/** A picture as it is kept here. */
export interface KeptImage {
  url: string;
  width?: number | undefined;
  height?: number | undefined;
}

const stored = "/storage/v1/object/public/";

/**
 * Whether a picture is kept here already. Of a `workspace`: one that another workspace of this installation keeps is not; its address begins with
 * `/`, and it is fetched from here.
 */
export const isKept = (url: string, workspace: string | undefined): boolean =>
  workspace === undefined ? url.startsWith(stored) : url.startsWith(`${stored}post-images/${workspace}/`);

/** The pictures of a post, each address once. */
export function imagesIn(blocks: readonly Block[], cover: PreparedPost["post"]["cover_image"]): string[] {
  const inText = blocks.flatMap(({ type, data }) => (type === "image" ? [data.file.url] : []));
  const chosen = typeof cover === "object" && cover !== null ? [cover.url] : [];
  return [...new Set([...inText, ...chosen])];
}

const nameOf = (address: string): string => address.slice(address.lastIndexOf("/") + 1);

/** A paragraph in the place of a picture that could not be kept. */
function wordsFor({ file, alt, caption }: Extract<Block, { type: "image" }>["data"]): Block {
  const path = pathOfFile(file.url);
  const words = escapeHtml(`Picture: ${inlineText(alt ?? "") || inlineText(caption) || nameOf(path ?? file.url)}`);
  const isReachable = path === null && /^https?:/.test(file.url);
  const first = isReachable ? `<a href="${escapeHtml(file.url)}">${words}</a>` : words;
  const isSaid = caption === "" || (alt === undefined && !caption.includes("<a "));
  return { type: "paragraph", data: { text: isSaid ? first : `${first}<br>${caption}` } };
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? one : many.replace("#", figure(count)));

/**
 * A post with the pictures that were kept in the place of its `images`, by their addresses. One that was not (null, or absent) leaves a link to it,
 * where it can be reached, and its words.
 */
export function withImages(prepared: PreparedPost, kept: ReadonlyMap<string, KeptImage | null>): PreparedPost {
  const { post, images } = prepared;
  if (images.length === 0) return prepared;
  const waiting = new Set(images);
  let missing = 0;
  const isMissing = (url: string): boolean => waiting.has(url) && !kept.get(url);
  const { blocks: before } = cleanBlocks(post.blocks, unlimited);
  const blocks = before.map((block): Block => {
    if (block.type !== "image") return block;
    if (isMissing(block.data.file.url)) missing++;
    if (isMissing(block.data.file.url)) return { ...block, ...wordsFor(block.data) };
    const here = kept.get(block.data.file.url);
    if (!here) return block;
    const { url, width, height } = here;
    return { ...block, data: { ...block.data, file: { url, ...(width && height ? { width, height } : {}) } } };
  });
  const losses = [...prepared.losses];
  if (missing > 0) {
    losses.push(
      counted(
        missing,
        "A picture could not be kept: its words stand in its place",
        "# pictures could not be kept: their words stand in their places",
      ),
    );
  }
  let cover = post.cover_image;
  if (typeof cover === "object" && cover !== null && waiting.has(cover.url)) {
    const here = kept.get(cover.url);
    if (!here) losses.push("Its cover could not be kept");
    cover = here
      ? { url: here.url, alt: cover.alt ?? "", ...(here.width && here.height ? { width: here.width, height: here.height } : {}) }
      : null;
  }
  const whole = cleanBlocks(blocks, unlimited).blocks;
  return { ...prepared, post: { ...post, blocks: whole, ...(cover === undefined ? {} : { cover_image: cover }) }, losses, images: [] };
}
