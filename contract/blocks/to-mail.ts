import { typeOf } from "./block-types.ts";
import type { BlockWords } from "./block-labels.ts";
import { requireCleaned } from "./clean.ts";
import { type HtmlNode, htmlTree } from "./html-tree.ts";
import type { CleanedContent } from "./schema.ts";
import { escapeHtml } from "./text.ts";

export interface MailLook {
  accent: string;
  dir: "ltr" | "rtl";
  words?: BlockWords;
}

type Styles = Readonly<Record<string, string>>;
/** Inline styles only: email clients ignore stylesheets and classes. Dark-mode colours are the frame's (`.m-…`). */
const stylesOf = ({ accent, dir }: MailLook): Styles => ({
  ...common,
  a: `color:${accent}`,
  ul: `margin:0 0 16px;padding:${inset[dir]}`,
  ol: `margin:0 0 16px;padding:${inset[dir]}`,
  blockquote: `margin:0 0 16px;padding:${dir === "rtl" ? "0 16px 0 0" : "0 0 0 16px"};border-${start[dir]}:3px solid #857b6d`,
  th: `${cell};text-align:${start[dir]}`,
  td: `${cell};text-align:${start[dir]}`,
});

const start = { ltr: "left", rtl: "right" } as const;
const inset = { ltr: "0 0 0 24px", rtl: "0 24px 0 0" } as const;
const cell = "padding:6px 10px;border:1px solid #857b6d;vertical-align:top;overflow-wrap:normal;word-break:normal";
const common: Styles = {
  p: "margin:0 0 16px",
  h2: "margin:32px 0 12px;font-size:22px;line-height:28px",
  h3: "margin:28px 0 8px;font-size:19px;line-height:26px",
  h4: "margin:24px 0 8px;font-size:17px;line-height:24px",
  li: "margin:0 0 6px",
  pre: "margin:0 0 16px;padding:12px 16px;white-space:pre-wrap;word-break:break-word;border:1px solid #857b6d;border-radius:6px;font:14px/21px Menlo,Consolas,monospace",
  code: "font-family:Menlo,Consolas,monospace;font-size:.9em",
  mark: "background:#fbe9a9;color:#1f1b16",
  hr: "margin:24px 0;border:0;border-top:1px solid #857b6d",
  figure: "margin:0 0 16px",
  figcaption: "margin:8px 0 0;font-size:14px;line-height:20px",
  img: "display:block;max-width:100%;height:auto;border:0",
  div: "overflow-x:auto;margin:0 0 16px", // wide tables scroll where the client allows it
  table: "width:100%;border-collapse:collapse",
};

const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  img: ["src", "alt"],
  ol: ["start", "type"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan", "scope"],
};
const empty = new Set(["br", "hr", "img"]);
/** Width of an email minus margins, in pixels. */
const widest = 552;

/** ☑ and ☐ replace bullets; nested lists need no extra indent. */
function styleOf([tag, , first]: Exclude<HtmlNode, string>, parent: string, { styles, dir }: Drawn): string | undefined {
  if (tag !== "ul" && tag !== "ol") return styles[tag];
  const isTicked = typeof first === "object" && typeof first[2] === "object" && first[2][0] === "span";
  if (isTicked) return `margin:${parent === "li" ? "6px 0 0" : "0 0 16px"};padding:${parent === "li" ? inset[dir] : "0"};list-style:none`;
  return parent === "li" ? `margin:6px 0 0;padding:${inset[dir]}` : styles[tag];
}

interface Drawn {
  styles: Styles;
  dir: MailLook["dir"];
}

function written(node: HtmlNode, drawn: Drawn, parent = ""): string {
  if (typeof node === "string") return escapeHtml(node);
  const [tag, attributes, ...children] = node;
  const own = (allowedAttributes[tag] ?? []).flatMap((name) =>
    attributes[name] === undefined ? [] : [` ${name}="${escapeHtml(attributes[name])}"`],
  );
  const width = tag === "img" ? [` width="${Math.min(Number(attributes["width"]) || widest, widest)}"`] : [];
  const border = tag === "table" ? [' border="1" cellpadding="6" cellspacing="0"'] : [];
  const look = styleOf(node, parent, drawn);
  const style = look === undefined ? [] : [` style="${look}"`];
  const opening = `<${tag}${[...own, ...width, ...border, ...style].join("")}>`;
  return empty.has(tag)
    ? opening
    : `${opening}${withSource(node, children)
        .map((child) => written(child, drawn, tag))
        .join("")}</${tag}>`;
}

function withSource([tag, attributes]: Exclude<HtmlNode, string>, children: HtmlNode[]): HtmlNode[] {
  if (tag !== "figure" || !attributes["class"]?.startsWith("quote")) return children;
  return children.map(
    (child) =>
      (typeof child !== "string" && child[0] === "figcaption" ? ["figcaption", child[1], "— ", ...child.slice(2)] : child) as HtmlNode,
  );
}

function inline(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node): string => {
      if (typeof node === "string") return node.replace(/[ \t\n\r]+/g, " ");
      const [tag, attributes, ...children] = node;
      if (tag === "br") return "\n";
      const words = inline(children);
      if (tag !== "a") return words;
      const href = attributes["href"] ?? "";
      const address = href.replace(/^mailto:/, "");
      if (words.trim() === "") return ` ${address} `;
      return [href, href.replace(/\/$/, ""), address].includes(words.trim()) ? address : `${words} (${href})`;
    })
    .join("");
}

const prefixed = (text: string, first: string, next: string): string => first + text.replaceAll("\n", `\n${next}`);
const isItemList = (node: HtmlNode): boolean => typeof node !== "string" && (node[0] === "ul" || node[0] === "ol");

function plain(node: HtmlNode): string {
  if (typeof node === "string") return inline([node]).trim();
  const [tag, attributes, ...children] = node;
  switch (tag) {
    case "hr":
      return "* * *";
    case "img":
      return [attributes["alt"], attributes["src"]].filter(Boolean).join(": ");
    case "pre":
      return verbatim(node);
    case "blockquote":
      return prefixed(children.map(plain).join("\n"), "> ", "> ");
    case "ul":
    case "ol":
      return children.map((item, at) => listItem(item, tag === "ul" ? "-" : `${Number(attributes["start"] ?? 1) + at}.`)).join("\n");
    case "tr":
      return children.map((cell) => inline([cell]).replaceAll("\n", " ").trim()).join(" | ");
    case "figure":
    case "div":
    case "table":
    case "thead":
    case "tbody":
      return withSource(node, children).map(plain).filter(Boolean).join("\n");
    default:
      return inline(children).trim();
  }
}

const verbatim = (node: HtmlNode): string => (typeof node === "string" ? node : (node.slice(2) as HtmlNode[]).map(verbatim).join(""));

function listItem(item: HtmlNode, bullet: string): string {
  const children = (typeof item === "string" ? [item] : item.slice(2)) as HtmlNode[];
  const below = children.filter(isItemList).map(plain);
  const words = inline(children.filter((child) => !isItemList(child))).trim();
  const isTicked = typeof children[0] === "object" && children[0][0] === "span";
  return prefixed([words, ...below].join("\n"), isTicked ? "" : `${bullet} `, "  ");
}

export interface MailContent {
  html: string;
  whole: boolean;
  text: string;
}

/** A post as HTML and plain text, URLs absolute below `base`. Clients clip long HTML, so blocks beyond `maxBytes` (UTF-8) are left out. */
export function mailOfBlocks(content: CleanedContent, base: string, maxBytes: number, look: MailLook): MailContent {
  requireCleaned(content);
  const drawn = { styles: stylesOf(look), dir: look.dir };
  const parts: string[] = [];
  const texts: string[] = [];
  let [bytes, whole] = [0, true];
  for (const block of content.blocks) {
    const tree = htmlTree(typeOf(block).html(block.data, { base, page: false, words: look.words }));
    texts.push(tree.map(plain).join("\n"));
    if (whole) {
      const part = tree.map((node) => written(node, drawn)).join("");
      bytes += new TextEncoder().encode(part).byteLength + 1;
      whole = bytes <= maxBytes;
      if (whole) parts.push(part);
    }
  }
  return { html: parts.join("\n"), whole, text: texts.filter((text) => text.trim() !== "").join("\n\n") };
}
