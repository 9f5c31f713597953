import { lineOf } from "../rules/line-of.ts";
import { decodeEntities } from "./text.ts";

const marks: Record<string, string> = { b: "**", strong: "**", i: "*", em: "*", s: "~~", u: "", mark: "" };

/**
 * Text that Markdown would read as markup, escaped. `#`, `-`, `+`, `>` and `1.` matter only where a line begins; the blanks before them are
 * those of one line, or many empty lines would each be read to their common end.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~]|&(?=#?\w+;)/g, "\\$&")
    .replace(/^([^\S\n\r\u2028\u2029]*)([#+-]|\d+(?=[.)]))/gm, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
    );
}

/** Text on one line, which it cannot leave, with nothing in it that Markdown would read as markup. */
export const markdownLine = (text: string): string => escapeMarkdown(lineOf(text));

/** An address between `<` and `>`, as links and images have it, with a title or none. */
export function markdownAddress(url: string, title = ""): string {
  const address = url
    .replaceAll("<", "%3C")
    .replaceAll(">", "%3E")
    .replace(/\\|&(?=#?\w+;)/g, "\\$&");
  return title === "" ? `(<${address}>)` : `(<${address}> "${title.replace(/[\\"]|&(?=#?\w+;)/g, "\\$&")}")`;
}

/** Cleaned inline HTML as Markdown: bold, italic, struck, code, links, super- and subscript as their tags; underline and marker have no Markdown and leave their text. */
export function inlineToMarkdown(html: string): string {
  const links: string[] = [];
  let inCode = 0;
  return html.replace(
    /<br>|<(\/?)([a-z]+)(?: class="[^"]*")?(?: href="([^"]*)")?>|[^<]+/g,
    (match, slash?: string, tag?: string, href?: string) => {
      if (match === "<br>") return "\\\n";
      if (tag === undefined) {
        const text = decodeEntities(match);
        return inCode > 0 ? text.replaceAll("`", "'") : escapeMarkdown(text);
      }
      if (tag === "code") return (slash === "/" ? --inCode : inCode++) === 0 ? "`" : "";
      if (tag === "a" && slash !== "/") links.push(decodeEntities(href ?? ""));
      if (tag === "a") return slash === "/" ? `]${markdownAddress(links.pop() ?? "")}` : "[";
      if (inCode > 0) return "";
      return tag === "sup" || tag === "sub" ? `<${slash}${tag}>` : (marks[tag] ?? "");
    },
  );
}
