import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import type { PreparedPost } from "./entry.ts";
import { figure } from "#contract/rules/figure.ts";

/** Pseudo-origin of local files, so relative paths resolve like URLs. */
const cameAlong = "https://came-along.invalid/";

export const addressOfFile = (path: string): string =>
  new URL(path.toWellFormed().split("/").map(encodeURIComponent).join("/"), cameAlong).href.replaceAll("'", "%27");

/** The path in `ReadSource.images`, or null for other URLs. */
export function pathOfFile(address: string): string | null {
  if (!address.startsWith(cameAlong)) return null;
  const { pathname } = new URL(address);
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return pathname.slice(1);
  }
}

export interface KeptImage {
  url: string;
  width?: number | undefined;
  height?: number | undefined;
}

const stored = "/storage/v1/object/public/";

/** True if stored here; with `workspace`, in that workspace. Images of other workspaces on this installation are copied. */
export const isKept = (url: string, workspace: string | undefined): boolean =>
  workspace === undefined ? url.startsWith(stored) : url.startsWith(`${stored}post-images/${workspace}/`);

export function imagesIn(blocks: readonly Block[], cover: PreparedPost["post"]["cover_image"]): string[] {
  const inText = blocks.flatMap(({ type, data }) => (type === "image" ? [data.file.url] : []));
  const chosen = typeof cover === "object" && cover !== null ? [cover.url] : [];
  return [...new Set([...inText, ...chosen])];
}

const nameOf = (address: string): string => address.slice(address.lastIndexOf("/") + 1);

function wordsFor({ file, alt, caption }: Extract<Block, { type: "image" }>["data"]): Block {
  const path = pathOfFile(file.url);
  const words = escapeHtml(`Image: ${inlineText(alt ?? "") || inlineText(caption) || nameOf(path ?? file.url)}`);
  const isReachable = path === null && /^https?:/.test(file.url);
  const first = isReachable ? `<a href="${escapeHtml(file.url)}">${words}</a>` : words;
  const isSaid = caption === "" || (alt === undefined && !caption.includes("<a "));
  return { type: "paragraph", data: { text: isSaid ? first : `${first}<br>${caption}` } };
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? one : many.replace("#", figure(count)));

/** Replaces `images` by their copies. Failed ones (null or absent) become a link, if reachable, and their text. */
export function withImages(prepared: PreparedPost, copies: ReadonlyMap<string, KeptImage | null>): PreparedPost {
  const { post, images } = prepared;
  if (images.length === 0) return prepared;
  const waiting = new Set(images);
  let missing = 0;
  const isMissing = (url: string): boolean => waiting.has(url) && !copies.get(url);
  const { blocks: before } = cleanBlocks(post.blocks, unlimited);
  const blocks = before.map((block): Block => {
    if (block.type !== "image") return block;
    if (isMissing(block.data.file.url)) missing++;
    if (isMissing(block.data.file.url)) return { ...block, ...wordsFor(block.data) };
    const copy = copies.get(block.data.file.url);
    if (!copy) return block;
    const { url, width, height } = copy;
    return { ...block, data: { ...block.data, file: { url, ...(width && height ? { width, height } : {}) } } };
  });
  const losses = [...prepared.losses];
  if (missing > 0) {
    losses.push(
      counted(missing, "We couldn't copy an image, so its text replaces it", "We couldn't copy # images, so their text replaces them"),
    );
  }
  let cover = post.cover_image;
  if (typeof cover === "object" && cover !== null && waiting.has(cover.url)) {
    const coverCopy = copies.get(cover.url);
    if (!coverCopy) losses.push("We couldn't copy the cover");
    cover = coverCopy
      ? {
          url: coverCopy.url,
          alt: cover.alt ?? "",
          ...(coverCopy.width && coverCopy.height ? { width: coverCopy.width, height: coverCopy.height } : {}),
        }
      : null;
  }
  const whole = cleanBlocks(blocks, unlimited).blocks;
  return { ...prepared, post: { ...post, blocks: whole, ...(cover === undefined ? {} : { cover_image: cover }) }, losses, images: [] };
}
