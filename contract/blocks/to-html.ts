import { requireCleaned } from "./clean.ts";
import { inlineText, publishedInline } from "./inline-html.ts";
import type { Block, CleanedContent, ListItem } from "./schema.ts";
import { escapeHtml } from "./text.ts";

type DataOf<Type extends Block["type"]> = Extract<Block, { type: Type }>["data"];

const counters = { numeric: "1", "lower-roman": "i", "upper-roman": "I", "lower-alpha": "a", "upper-alpha": "A" } as const;
const check = (checked: boolean): string =>
  checked ? '<span role="img" aria-label="Done">☑</span> ' : '<span role="img" aria-label="Open">☐</span> ';

function list({ style, meta, items }: DataOf<"list">): string {
  const item = ({ content, meta: own, items: nested }: ListItem): string => {
    const below = nested.length === 0 ? "" : list({ style, meta: {}, items: nested });
    return `<li>${style === "checklist" ? check(own.checked === true) : ""}${publishedInline(content)}${below}</li>`;
  };
  const inner = items.map(item).join("");
  if (style === "checklist") return `<ul class="checklist">${inner}</ul>`;
  if (style === "unordered") return `<ul>${inner}</ul>`;
  const start = meta.start === undefined || meta.start === 1 ? "" : ` start="${meta.start}"`;
  const type = meta.counterType === undefined || meta.counterType === "numeric" ? "" : ` type="${counters[meta.counterType]}"`;
  return `<ol${start}${type}>${inner}</ol>`;
}

function image({ file, caption, withBorder, stretched, withBackground }: DataOf<"image">, base: string): string {
  const classes = ["image", withBorder && "bordered", stretched && "stretched", withBackground && "backed"].filter(Boolean).join(" ");
  const url = escapeHtml(file.url.startsWith("/") ? base + file.url : file.url);
  const size = file.width === undefined || file.height === undefined ? "" : ` width="${file.width}" height="${file.height}"`;
  const words = caption === "" ? "" : `<figcaption>${publishedInline(caption)}</figcaption>`;
  return `<figure class="${classes}"><img src="${url}" alt="${escapeHtml(inlineText(caption))}"${size} loading="lazy" decoding="async">${words}</figure>`;
}

function table({ withHeadings, content }: DataOf<"table">): string {
  const row = (cells: string[], open: string, close: string): string =>
    `<tr>${cells.map((cell) => open + publishedInline(cell) + close).join("")}</tr>`;
  const head = withHeadings ? `<thead>${row(content[0] ?? [], '<th scope="col">', "</th>")}</thead>` : "";
  const body = content
    .slice(withHeadings ? 1 : 0)
    .map((cells) => row(cells, "<td>", "</td>"))
    .join("");
  // A wide table scrolls by itself, with the keyboard too.
  return `<div class="table" role="region" aria-label="Table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>`;
}

function blockToHtml(block: Block, base: string): string {
  switch (block.type) {
    case "paragraph":
      return `<p>${publishedInline(block.data.text)}</p>`;
    case "header": {
      // Level 1 is the post's title.
      const level = Math.min(Math.max(block.data.level, 2), 4);
      return `<h${level}>${publishedInline(block.data.text)}</h${level}>`;
    }
    case "list":
      return list(block.data);
    case "image":
      return image(block.data, base);
    case "code":
      return `<pre tabindex="0"><code>${escapeHtml(block.data.code)}</code></pre>`;
    case "quote": {
      const { text, caption, alignment } = block.data;
      const source = caption === "" ? "" : `<figcaption>${publishedInline(caption)}</figcaption>`;
      const classes = alignment === "center" ? "quote centered" : "quote";
      return `<figure class="${classes}"><blockquote><p>${publishedInline(text)}</p></blockquote>${source}</figure>`;
    }
    case "delimiter":
      return "<hr>";
    case "table":
      return table(block.data);
    case "checklist": {
      const items = block.data.items.map(({ text, checked }) => `<li>${check(checked)}${publishedInline(text)}</li>`);
      return `<ul class="checklist">${items.join("")}</ul>`;
    }
  }
}

/** Where stored images are: an origin, for feeds and mails; root-relative without one. */
interface Place {
  base?: string;
}

/** What `blocksToHtml` does, a block a step: the HTML of each. */
export function* htmlOfEach(content: CleanedContent, { base = "" }: Place = {}): Generator<void, string[]> {
  requireCleaned(content);
  const each: string[] = [];
  for (const block of content.blocks) {
    each.push(blockToHtml(block, base));
    yield;
  }
  return each;
}

/** The same, together. */
export function* htmlOfBlocks(content: CleanedContent, place: Place = {}): Generator<void, string> {
  return (yield* htmlOfEach(content, place)).join("\n");
}

/**
 * A post's content as complete, escaped HTML without scripts, styles or event handlers, one block a line.
 * Links carry no `nofollow`: the writers are members of the workspace whose page it is.
 */
export function blocksToHtml(content: CleanedContent, { base = "" }: Place = {}): string {
  requireCleaned(content);
  return content.blocks.map((block) => blockToHtml(block, base)).join("\n");
}
