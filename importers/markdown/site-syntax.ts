import { calloutIcon, calloutKindOf } from "#contract/blocks/callout-kinds.ts";
import { escapeMarkdown, markdownAddress } from "#contract/blocks/inline-to-markdown.ts";
import { markdownProblem } from "#contract/blocks/from-markdown.ts";
import { alertOf, type CalloutKind, calloutLabels } from "#contract/blocks/types/callout.ts";
import { videoAt } from "#contract/blocks/types/embed.ts";

interface Values {
  named: ReadonlyMap<string, string>;
  bare: readonly string[];
}

const value = /([\w-]+)=(?:"([^"]*)"|'([^']*)'|`([^`]*)`|(\S+))|"([^"]*)"|'([^']*)'|`([^`]*)`|(\S+)/g;

function valuesOf(text: string): Values {
  const closings = new Map<string, string>();
  const bare: string[] = [];
  for (const [, name, ...all] of text.matchAll(value)) {
    const words = all.find((one) => one !== undefined) ?? "";
    if (name === undefined) bare.push(words);
    else closings.set(name.toLowerCase(), words);
  }
  return { named: closings, bare };
}

const pick = ({ named }: Values, ...names: string[]): string => names.map((name) => named.get(name)).find(Boolean) ?? "";

type Container =
  | { as: "callout"; kind: CalloutKind; title: string }
  | { as: "details"; title: string }
  | { as: "code"; language: string }
  | { as: "lines"; name: string };

const colons = /^ {0,3}(:{3,})[ \t]*\{?\.?(?:callout-)?([A-Za-z][\w-]*)\}?(.*)$/;
const colonsEnd = /^ {0,3}(:{3,})[ \t]*$/;
const shortcodeLine = /^[ \t]*\{\{([<%])[ \t]*(\/?)[ \t]*([\w/.-]+)((?:(?!\}\}).)*)[>%]\}\}[ \t]*$/;
const tagLine = /^[ \t]*\{%-?[ \t]*(\w+)((?:(?!%\}).)*?)-?%\}[ \t]*$/;
const boxes = new Set(["notice", "alert", "callout", "hint", "admonition"]);
const folded = new Set(["details", "expand", "spoiler", "collapse"]);

function openingOf(line: string): { key: string; container: Container } | null {
  const [, signs, name = "", rest = ""] = colons.exec(line) ?? [];
  if (signs !== undefined) {
    const [, bracketed, given = "", attributes = ""] = /^(?:\[([^\]]*)\])?([^{}]*)(?:\{([^{}]*)\}|\})?[ \t]*$/.exec(rest) ?? [];
    const isValues = /^[ \t]*[\w-]+=/.test(given);
    const title = (bracketed ?? (isValues ? "" : given)).trim() || pick(valuesOf(isValues ? given : attributes), "title");
    const kind = calloutKindOf(name);
    if (kind !== null) return { key: signs, container: { as: "callout", kind, title } };
    return { key: signs, container: folded.has(name) ? { as: "details", title } : { as: "lines", name: `:::${name}` } };
  }
  const [, , closes, shortcode = "", values = ""] = shortcodeLine.exec(line) ?? [];
  if (closes === "") {
    const key = `{{${shortcode}`;
    const options = valuesOf(values);
    if (shortcode === "highlight") return { key, container: { as: "code", language: options.bare[0] ?? "" } };
    if (folded.has(shortcode))
      return { key, container: { as: "details", title: pick(options, "title", "summary") || (options.bare[0] ?? "") } };
    const own = calloutKindOf(shortcode);
    if (own === null && !boxes.has(shortcode)) return null;
    const [first = "", second = ""] = options.bare;
    const calloutKind = calloutKindOf(pick(options, "type", "color", "context") || first);
    const title = pick(options, "title") || (calloutKind !== null && own === null ? second : first);
    return { key, container: { as: "callout", kind: own ?? calloutKind ?? "info", title } };
  }
  const [, tag, language = ""] = tagLine.exec(line) ?? [];
  if (tag === "highlight") return { key: "{%highlight", container: { as: "code", language: language.trim().split(/\s/)[0] ?? "" } };
  if (/^[ \t]*<aside>[ \t]*$/i.test(line)) return { key: "<aside>", container: { as: "lines", name: "" } };
  return null;
}

function closingOf(line: string): string | null {
  const [, signs] = colonsEnd.exec(line) ?? [];
  if (signs !== undefined) return signs;
  const [, , closes, shortcode] = shortcodeLine.exec(line) ?? [];
  if (closes === "/") return `{{${shortcode}`;
  if (tagLine.exec(line)?.[1] === "endhighlight") return "{%highlight";
  return /^[ \t]*<\/aside>[ \t]*$/i.test(line) ? "<aside>" : null;
}

const fence = /^\s*(`{3,}|~{3,})/;

function codeLines(lines: readonly string[]): boolean[] {
  let open: string | null = null;
  return lines.map((line) => {
    const [, sign] = fence.exec(line) ?? [];
    if (open === null) {
      if (sign === undefined) return false;
      open = sign;
    } else if (sign !== undefined && sign[0] === open[0] && sign.length >= open.length && line.trim() === sign) open = null;
    return true;
  });
}

function pairsIn(lines: readonly string[], isCode: readonly boolean[]): Map<number, { end: number; container: Container; key: string }> {
  const pairs = new Map<number, { end: number; container: Container; key: string }>();
  const open = new Map<string, { at: number; container: Container }[]>();
  for (const [at, line] of lines.entries()) {
    if (isCode[at] || !/^[ \t]*(?::::|\{[{%]|<\/?aside>)/i.test(line)) continue;
    const opening = openingOf(line);
    if (opening !== null) {
      const { key, container } = opening;
      const known = open.get(key);
      if (known === undefined) open.set(key, [{ at, container }]);
      else known.push({ at, container });
      continue;
    }
    const key = closingOf(line);
    const begun = key === null ? undefined : open.get(key)?.pop();
    if (key !== null && begun !== undefined) pairs.set(begun.at, { end: at, container: begun.container, key });
  }
  return pairs;
}

const admonition = /^ {0,3}(?:!!!|\?\?\?\+?)[ \t]+([\w-]+)(?:[ \t]+[\w-]+)*(?:[ \t]+"([^"]*)")?[ \t]*$/;
const isIndented = (line: string): boolean => /^(?: {4}|\t)/.test(line);
const isBlank = (line: string): boolean => line.trim() === "";
const dedented = (line: string): string => line.replace(/^(?: {4}|\t| {1,3})/, "");

function endOfIndented(lines: readonly string[], from: number): number {
  let end = from;
  for (let at = from; at < lines.length && (isBlank(lines[at]!) || isIndented(lines[at]!)); at++) if (!isBlank(lines[at]!)) end = at + 1;
  return end;
}

const definition = /^ {0,3}:[ \t]+(?=\S)/;
const noParagraph = /^(?: {4}|\t| {0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||<|:|```|~~~|!!!|\?\?\?))/;

const deepest = 8;

class Reader {
  readonly leftOut = new Set<string>();

  convert(lines: readonly string[], depth = 0): string[] {
    if (depth > deepest) return [...lines];
    const isCode = codeLines(lines);
    const pairs = pairsIn(lines, isCode);
    const out: string[] = [];
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at]!;
      const pair = pairs.get(at);
      if (pair !== undefined) {
        out.push(...this.#part(lines.slice(at + 1, pair.end), pair, depth));
        at = pair.end;
        continue;
      }
      if (isCode[at]) {
        out.push(line);
        continue;
      }
      const [, name, title = ""] = admonition.exec(line) ?? [];
      const end = name === undefined ? at + 1 : endOfIndented(lines, at + 1);
      const kind = name === undefined ? null : calloutKindOf(name);
      if (name !== undefined && (end > at + 1 || kind !== null)) {
        out.push(...this.#callout(kind ?? "info", title, lines.slice(at + 1, end).map(dedented), depth));
        at = end - 1;
        continue;
      }
      const defined = this.#definitions(lines, at, depth);
      if (defined === null) {
        out.push(this.#inline(line));
        continue;
      }
      out.push(...defined.lines);
      at = defined.end - 1;
    }
    return out;
  }

  #part(inner: readonly string[], { container, key }: { container: Container; key: string }, depth: number): string[] {
    if (key === "<aside>") return this.#aside(inner, depth);
    switch (container.as) {
      case "callout":
        return this.#callout(container.kind, container.title, inner, depth);
      case "details":
        return ["<details>", `<summary>${container.title}</summary>`, "", ...this.convert(inner, depth + 1), "", "</details>", ""];
      case "code": {
        const sign = "`".repeat(Math.max(3, ...inner.map((line) => (/`{3,}/.exec(line)?.[0].length ?? 0) + 1)));
        return ["", `${sign}${container.language}`, ...inner, sign, ""];
      }
      case "lines":
        this.leftOut.add(container.name);
        return ["", ...this.convert(inner, depth + 1), ""];
    }
  }

  #aside(inner: readonly string[], depth: number): string[] {
    const text = inner.join("\n").replace(/^\s*<img src="[^"<>]*\/icons\/[^<>]*>\s*/, "");
    const icon = calloutIcon(text);
    if (icon === null && text === inner.join("\n")) return ["<aside>", ...this.convert(inner, depth + 1), "</aside>"];
    return this.#callout(icon?.kind ?? "info", "", (icon?.isSaid ? text.slice(icon.length) : text).split("\n"), depth);
  }

  #callout(kind: CalloutKind, title: string, inner: readonly string[], depth: number): string[] {
    const heading = title === "" ? [] : [`**${title.replace(/[*]/g, "\\*")}**`, ""];
    const lines = this.convert(inner, depth + 1);
    if (depth > 0) return ["", ...(heading.length > 0 ? heading : [`**${calloutLabels[kind]}**`, ""]), ...lines, ""];
    const first = lines.findIndex((line) => !isBlank(line));
    return ["", `> [!${alertOf[kind]}]`, ...[...heading, ...lines.slice(Math.max(0, first))].map((line) => `> ${line}`), ""];
  }

  #definitions(lines: readonly string[], at: number, depth: number): { lines: string[]; end: number } | null {
    const term = lines[at]!;
    if (isBlank(term) || noParagraph.test(term)) return null;
    let next = at + 1;
    if (next < lines.length && isBlank(lines[next]!)) next++;
    if (!definition.test(lines[next] ?? "")) return null;
    const out = ["", /[*_`[\]]/.test(term) ? this.#inline(term.trim()) : `**${term.trim()}**`, ""];
    while (next < lines.length && definition.test(lines[next]!)) {
      const end = endOfIndented(lines, next + 1);
      const body = [lines[next]!.replace(definition, ""), ...lines.slice(next + 1, end).map(dedented)];
      out.push(...this.convert(body, depth + 1), "");
      next = end;
      if (isBlank(lines[next] ?? "x") && definition.test(lines[next + 1] ?? "")) next++;
    }
    return { lines: out, end: next };
  }

  #inline(line: string): string {
    if (!line.includes("{{") && !line.includes("{%")) return line;
    return line
      .split(/(`+[^`]*`+)/)
      .map((part, index) => (index % 2 === 1 ? part : this.#replaced(part)))
      .join("");
  }

  #replaced(text: string): string {
    let out = "";
    let from = 0;
    const missing = new Set<string>();
    for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("{", Math.max(from, at + 1))) {
      const begins = text.slice(at, at + 3);
      const closing =
        begins === "{{<" ? ">}}" : begins === "{{%" ? "%}}" : begins.startsWith("{{") ? "}}" : begins.startsWith("{%") ? "%}" : null;
      const end = closing === null || missing.has(closing) ? -1 : text.indexOf(closing, at + 2);
      if (closing !== null && end === -1) missing.add(closing);
      if (closing === null || end === -1) continue;
      const inner = text.slice(at + (begins.startsWith("{{") && closing.length === 3 ? 3 : 2), end).trim();
      const replacement = closing === "}}" ? outputOf(inner) : this.#tag(inner, closing === "%}" ? "{% # %}" : `${begins} # ${closing}`);
      if (replacement === null) continue;
      out += text.slice(from, at) + replacement;
      from = end + closing.length;
    }
    return out + text.slice(from);
  }

  #tag(inner: string, form: string): string {
    const [, name = "", rest = ""] = /^-?\s*(\/?[\w./-]+)([^]*?)(?:-|\/)?$/.exec(inner) ?? [];
    const values = valuesOf(rest.replace(/,/g, " "));
    const isInclude = name === "include" || name === "include_cached" || name === "partial";
    const [first = "", second = ""] = values.bare;
    const what = (isInclude ? first : name).toLowerCase();
    const subject = isInclude ? second : first;
    const service = ["youtube", "vimeo", "loom"].find((one) => what.includes(one));
    if (service !== undefined || name === "embed") {
      const id = pick(values, "id", "video_id", "videoid", "video", "url", "src") || subject;
      const page = service === undefined ? id : `${watchPages[service]!}${id}`;
      const video = videoAt(id)?.url ?? videoAt(page)?.url;
      if (video !== undefined) return video;
    }
    if (/^(?:figure|img|image|picture)s?(?:\.html)?$/.test(what.replace(/^.*\//, ""))) {
      const src = pick(values, "src", "url", "image_path", "path") || subject;
      const caption = [pick(values, "title"), pick(values, "caption")].filter(Boolean).join(" – ");
      const image = `![${escapeMarkdown(pick(values, "alt"))}]${markdownAddress(src, caption)}`;
      const link = pick(values, "link", "href");
      if (src !== "") return link === "" ? image : `[${image}]${markdownAddress(link)}`;
    }
    if (/^(?:rel)?ref$/.test(name) || name === "link" || name === "post_url") return first;
    if (!/^(?:raw|endraw|comment|endcomment)$/.test(name) && !name.startsWith("/") && !name.startsWith("end"))
      this.leftOut.add(form.replace("#", isInclude ? `${name} ${first}` : name));
    return "";
  }
}

const watchPages: Readonly<Record<string, string>> = {
  youtube: "https://www.youtube.com/watch?v=",
  vimeo: "https://vimeo.com/",
  loom: "https://www.loom.com/share/",
};

/** Liquid output in URLs; null for anything else, which may be the text's subject. */
function outputOf(inner: string): string | null {
  if (/^-?\s*site\.(?:baseurl|url)\s*-?$/.test(inner)) return "";
  const [, path] = /^-?\s*["']([^"']*)["']\s*\|\s*(?:relative_url|absolute_url|relURL|absURL)\s*-?$/.exec(inner) ?? [];
  return path ?? null;
}

const hasSyntax = /^[ \t]*(?::::|!!!|\?\?\?|:[ \t]|<aside>)|\{\{|\{%/im;
const spread = /\{\{[<%][^<>{}%]{1,1000}[>%]\}\}/g;

/** Site generators' syntax (Docusaurus, VitePress, MkDocs, Hugo, Jekyll, Notion) as plain Markdown. `leftOut`: without a block. */
export function withoutSiteSyntax(text: string): { text: string; leftOut: readonly string[] } {
  if (!hasSyntax.test(text) || markdownProblem(text) !== null) return { text, leftOut: [] };
  const reader = new Reader();
  const joined = text.replace(spread, (shortcode) => shortcode.replace(/\s*\n\s*/g, " "));
  return { text: reader.convert(joined.split("\n")).join("\n"), leftOut: [...reader.leftOut] };
}

const mostNamed = 4;

export const siteSyntaxLoss = (names: readonly string[]): string =>
  `Removed syntax of its site generator: ${names.slice(0, mostNamed).join(", ")}${names.length > mostNamed ? ", …" : ""}`;
