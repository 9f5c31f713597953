import { lineOf } from "../rules/line-of.ts";
import { decodeEntities } from "./text.ts";

const marks: Record<string, string> = { b: "**", strong: "**", i: "*", em: "*", s: "~~", u: "", mark: "" };

/** Escapes Markdown syntax. `#`, `-`, `+`, `>` and `1.` matter only at line starts. Matched per line: otherwise quadratic. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~]|&(?=#?\w+;)/g, "\\$&")
    .replace(/^([^\S\n\r\u2028\u2029]*)([#+-]|\d+(?=[.)]))/gm, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
    );
}

export const markdownLine = (text: string): string => escapeMarkdown(lineOf(text));

export function markdownAddress(url: string, title = ""): string {
  const address = url
    .replaceAll("<", "%3C")
    .replaceAll(">", "%3E")
    .replace(/\\|&(?=#?\w+;)/g, "\\$&");
  return title === "" ? `(<${address}>)` : `(<${address}> "${title.replace(/[\\"]|&(?=#?\w+;)/g, "\\$&")}")`;
}

/** Cleaned inline HTML as Markdown; super- and subscript as tags. Underline and highlight lose their marks. */
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
