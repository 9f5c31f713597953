import { blockType } from "../block-type.ts";
import { cleanInline, inlineText, publishedInline } from "../inline-html.ts";
import { escapeMarkdown, inlineToMarkdown, markdownAddress } from "../inline-to-markdown.ts";
import { blockLimits } from "../limits.ts";
import { asInt, asObject, present } from "../read.ts";
import { safeImageUrl } from "../safe-url.ts";
import { cleanText, escapeHtml } from "../text.ts";

const widthStep = 5;
const narrowest = 10;
const snapsFrom = 90;
const widths = Array.from({ length: (snapsFrom - narrowest) / widthStep }, (_, step) => narrowest + step * widthStep);

export function imageWidth(value: unknown): number | undefined {
  if (typeof value !== "number" || !(value > 0 && value <= 100)) return undefined;
  return value >= snapsFrom ? 100 : Math.min(Math.max(Math.round(value / widthStep) * widthStep, narrowest), snapsFrom - widthStep);
}

function cleanAlt(value: unknown): string | undefined {
  const words = inlineText(cleanInline(value)).replace(/\s+/g, " ").trim();
  return words === "" ? undefined : escapeHtml(words);
}

const column = 640;

function sizeOf(file: { width?: number; height?: number }, width: number | undefined, page: boolean): string {
  const size = file.width === undefined || file.height === undefined ? null : { width: file.width, height: file.height };
  if (width === undefined || page) return size === null ? "" : ` width="${size.width}" height="${size.height}"`;
  const shown = Math.round((column * width) / 100);
  return ` width="${shown}"${size === null ? "" : ` height="${Math.max(1, Math.round((shown * size.height) / size.width))}"`}`;
}

/** A plain caption as the title of a Markdown image; "" for one with marks. */
const titleOf = (caption: string): string =>
  /<|\n/.test(caption)
    ? ""
    : inlineText(caption)
        .replace(/[ \t\n]+/g, " ")
        .trim();

/** Plain text: the alternative text, else the caption. */
export const altText = ({ alt, caption }: { alt?: string | undefined; caption: string }): string => inlineText(alt ?? caption);

const side = (value: unknown) => asInt(value, 1, blockLimits.imageSide);
const absolute = (url: string, base: string): string => (url.startsWith("/") ? base + url : url);

export const image = blockType({
  name: "Image",
  phrase: "an image",
  schema: ({ z, inline, text }) =>
    z.object({
      file: z.object({ url: text, width: z.int().positive().optional(), height: z.int().positive().optional() }),
      alt: inline.optional(),
      caption: inline,
      width: z.int().min(narrowest).max(100).optional(),
      withBorder: z.boolean(),
      stretched: z.boolean(),
      withBackground: z.boolean(),
    }),
  clean: (data) => {
    const file = asObject(data["file"]);
    const url = safeImageUrl(cleanText(file["url"] ?? data["url"]));
    if (url === null) return null;
    return present({
      file: present({ url, width: side(file["width"]), height: side(file["height"]) }),
      alt: cleanAlt(data["alt"]),
      caption: cleanInline(data["caption"]),
      width: imageWidth(data["width"]),
      withBorder: data["withBorder"] === true,
      stretched: data["stretched"] === true,
      withBackground: data["withBackground"] === true,
    });
  },
  html: ({ file, alt, caption, width, withBorder, stretched, withBackground }, { base, page }) => {
    const shown = stretched ? undefined : width;
    const classes = ["image", withBorder && "bordered", stretched && "stretched", withBackground && "backed", shown && page && `w-${shown}`]
      .filter(Boolean)
      .join(" ");
    const url = escapeHtml(absolute(file.url, base));
    const words = caption === "" ? "" : `<figcaption>${publishedInline(caption)}</figcaption>`;
    return `<figure class="${classes}"><img src="${url}" alt="${escapeHtml(altText({ alt, caption }))}"${sizeOf(file, shown, page)} loading="lazy" decoding="async">${words}</figure>`;
  },
  markdown: ({ file, alt, caption }, { base, whole, picture: standsAt }) => {
    const url = standsAt?.(file.url) ?? absolute(file.url, base);
    if (whole) return `![${escapeMarkdown(inlineText(alt ?? ""))}]${markdownAddress(url, titleOf(caption))}`;
    const picture = `![${escapeMarkdown(altText({ alt, caption }).replaceAll("\n", " "))}]${markdownAddress(url)}`;
    return alt === undefined || caption === "" ? picture : `${picture}\n\n${inlineToMarkdown(caption)}`;
  },
  unsaid: ({ file: { width, height }, caption, width: shown, withBorder, stretched, withBackground }) => ({
    ...(width !== undefined && { file: present({ width, height }) }),
    ...(caption !== "" && titleOf(caption) === "" && { caption }),
    ...(shown !== undefined && { width: shown }),
    ...(withBorder && { withBorder }),
    ...(stretched && { stretched }),
    ...(withBackground && { withBackground }),
  }),
  words: ({ alt, caption }) => [inlineText(alt ?? ""), inlineText(caption)].filter((words) => words !== ""),
  prose: false,
  shows: { thing: ({ file }) => file.url, together: ["file", "alt", "caption"] },
  wordless: "Image",
  style: `
.body .image { margin-block: 2.25rem; }
.body .image img { display: block; max-width: 100%; height: auto; margin-inline: auto; border-radius: 6px; }
.body .bordered img { border: 1px solid var(--line); }
.body .backed { background: var(--well); padding: 1.5rem; border-radius: 6px; }
${[...widths, 100].map((width) => `.body .w-${width} img { width: ${width}%; }`).join("\n")}
.body .stretched img { width: 100%; }
@media (min-width: 62rem) { .body .stretched { margin-inline: -8rem; } }`,
});
