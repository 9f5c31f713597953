import { fromHtml } from "hast-util-from-html";
import { toMdast } from "hast-util-to-mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { ImportProblem } from "../entry.ts";
import { Losses } from "./losses.ts";
import { tidyHtml } from "./blocks.ts";
import { attributeText, type Element, wordsOf } from "./elements.ts";
import { figure } from "#contract/rules/figure.ts";

/** Characters of one post's HTML, without data: URLs. */
const maxLength = 2_000_000;
const inText = /\bdata:[a-z]{1,20}\/[a-z\d.+-]{1,80}[;,]/gi;
const fewest = 200;
const mostTags = 60_000;

/**
 * Strips data: URLs by searching for their end: a regular expression over millions of characters overflows V8's stack in interpreted mode.
 */
function withoutBytes(html: string): string {
  const parts: string[] = [];
  let from = 0;
  const end = /[\s"'<>)]/g;
  for (const { 0: head, index } of html.matchAll(inText)) {
    if (index < from) continue;
    const begin = (end.lastIndex = index + head.length);
    const stop = end.exec(html)?.index ?? html.length;
    if (stop - begin < fewest) continue;
    parts.push(html.slice(from, begin - 1), ",");
    from = stop;
  }
  return parts.join("") + html.slice(from);
}

type Handlers = NonNullable<NonNullable<Parameters<typeof toMdast>[1]>["handlers"]>;
type Handler = Extract<Handlers[string], (...all: never[]) => unknown>;

/** Inline HTML tag that contract/blocks/from-markdown.ts supports. */
const tag = (value: string) => ({ type: "html" as const, value, data: { hName: "span" } });
const around =
  (name: string): Handler =>
  (state, node) => [tag(`<${name}>`), ...state.all(node), tag(`</${name}>`)];

const handlers: Record<string, Handler> = {
  u: around("u"),
  mark: around("mark"),
  sup: around("sup"),
  sub: around("sub"),
  "line-break": () => tag("<br>"),
  alert: (_, node) => tag(`[!${attributeText(node, "kind")}]`),
  "caption-note": (_, node) => ({
    type: "html",
    value: `<!-- tidings ${JSON.stringify({ caption: attributeText(node, "html") })
      .replaceAll("<", "\\u003c")
      .replaceAll(">", "\\u003e")} -->`,
  }),
  pre: (_, node) => ({ type: "code", lang: attributeText(node, "language") || null, value: wordsOf(node) }),
};

/** Markdown for contract/blocks/from-markdown.ts with all text. Losses are sentences. Throws ImportProblem over the limits. */
export function htmlToMarkdown(html: string, { base }: { base?: string | undefined } = {}): { markdown: string; losses: string[] } {
  const input = html.length > maxLength || html.includes("data:") ? withoutBytes(html) : html;
  if (input.length > maxLength) throw new ImportProblem(`The HTML of a post can have at most ${figure(maxLength)} characters`);
  if ((input.match(/<\/?[a-z]/gi)?.length ?? 0) > mostTags)
    throw new ImportProblem(`The HTML of a post can have at most ${figure(mostTags)} tags`);
  const end = input.lastIndexOf(">") + 1;
  const closed = input.slice(0, end) + input.slice(end).replaceAll("<", "&lt;"); // the parser drops an unclosed tag, as in `a<b`
  const losses = new Losses();
  try {
    const blocks = tidyHtml(fromHtml(closed.replaceAll("\0", ""), { fragment: true }), { base, losses });
    const root = { type: "root" as const, children: blocks as Element[] };
    const tree = toMdast(root, { handlers, document: true });
    const markdown = toMarkdown(tree, {
      extensions: [gfmToMarkdown({ tablePipeAlign: false })],
      bullet: "-",
      rule: "-",
      emphasis: "*",
      fences: true,
    });
    return { markdown, losses: losses.sentences };
  } catch (cause) {
    if (cause instanceof RangeError) throw new ImportProblem("The HTML of this post is nested too deeply", { cause });
    throw cause;
  }
}
