import { blockType } from "../block-type.ts";
import { cleanInline, inlineText, publishedInline } from "../inline-html.ts";
import { escapeMarkdown, markdownAddress } from "../inline-to-markdown.ts";
import { blockLimits } from "../limits.ts";
import { asInt, asObject, present } from "../read.ts";
import { safeImageUrl } from "../safe-url.ts";
import { cleanText, escapeHtml } from "../text.ts";

const side = (value: unknown) => asInt(value, 1, blockLimits.imageSide);
const absolute = (url: string, base: string): string => (url.startsWith("/") ? base + url : url);

export const image = blockType({
  schema: ({ z, inline, text }) =>
    z.object({
      file: z.object({ url: text, width: z.int().positive().optional(), height: z.int().positive().optional() }),
      caption: inline,
      withBorder: z.boolean(),
      stretched: z.boolean(),
      withBackground: z.boolean(),
    }),
  clean: (data) => {
    const file = asObject(data["file"]);
    const url = safeImageUrl(cleanText(file["url"] ?? data["url"]));
    if (url === null) return null;
    return {
      file: present({ url, width: side(file["width"]), height: side(file["height"]) }),
      caption: cleanInline(data["caption"]),
      withBorder: data["withBorder"] === true,
      stretched: data["stretched"] === true,
      withBackground: data["withBackground"] === true,
    };
  },
  html: ({ file, caption, withBorder, stretched, withBackground }, { base }) => {
    const classes = ["image", withBorder && "bordered", stretched && "stretched", withBackground && "backed"].filter(Boolean).join(" ");
    const url = escapeHtml(absolute(file.url, base));
    const size = file.width === undefined || file.height === undefined ? "" : ` width="${file.width}" height="${file.height}"`;
    const words = caption === "" ? "" : `<figcaption>${publishedInline(caption)}</figcaption>`;
    return `<figure class="${classes}"><img src="${url}" alt="${escapeHtml(inlineText(caption))}"${size} loading="lazy" decoding="async">${words}</figure>`;
  },
  markdown: ({ file, caption }, { base }) =>
    `![${escapeMarkdown(inlineText(caption).replaceAll("\n", " "))}]${markdownAddress(absolute(file.url, base))}`,
  words: ({ caption }) => [inlineText(caption)],
  prose: false,
  visible: true,
  wordless: "Image",
  style: `
.body .image { margin-block: 2.25rem; }
.body .image img { display: block; max-width: 100%; height: auto; margin-inline: auto; border-radius: 6px; }
.body .bordered img { border: 1px solid var(--line); }
.body .backed { background: var(--well); padding: 1.5rem; border-radius: 6px; }
.body .stretched img { width: 100%; }
@media (min-width: 62rem) { .body .stretched { margin-inline: -8rem; } }`,
});
