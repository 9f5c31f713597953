import type { LanguageFn } from "highlight.js";
import type { Place } from "#contract/blocks/block-type.ts";
import { codeLanguage, type CodeLanguage, isCodeLanguage } from "#contract/blocks/code-languages.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { decodeEntities, escapeHtml } from "#contract/blocks/text.ts";

/** Some grammars are quadratic and block the event loop, so longer code stays plain. */
export const longestColoured = 3_000;
const longestLine = 400; // several grammars scan to the end of the word or line from each letter
export const mostColoured = 30_000;

/** Lazy imports: most posts have no code. */
const grammars: Readonly<Record<CodeLanguage, () => Promise<{ default: LanguageFn }>>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  graphql: () => import("highlight.js/lib/languages/graphql"),
  html: () => import("highlight.js/lib/languages/xml"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  php: () => import("highlight.js/lib/languages/php"),
  powershell: () => import("highlight.js/lib/languages/powershell"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  toml: () => import("highlight.js/lib/languages/ini"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

const classes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    k: "keyword literal name section selector-tag doctag strong",
    t: "title built_in type attr attribute selector-class selector-id selector-attr selector-pseudo",
    s: "string regexp addition char code",
    n: "number symbol bullet link variable template-variable",
    d: "deletion",
    c: "comment quote meta",
  }).flatMap(([name, pieces]) => pieces.split(" ").map((piece) => [piece, name])),
);

/** Rebuilds the HTML with our classes, escaping each text. null if the text differs from the code. */
export function ownHtml(html: string, code: string): string | null {
  const open: boolean[] = [];
  let written = "";
  let output = "";
  for (const [piece, name] of html.matchAll(/<span class="(?:hljs-)?([a-z_-]*)[^"]*">|<\/span>|[^<]+|</g)) {
    if (name !== undefined) {
      const own = classes[name];
      open.push(own !== undefined);
      if (own !== undefined) written += `<span class="${own}">`;
    } else if (piece === "</span>") written += open.pop() ? "</span>" : "";
    else {
      const text = decodeEntities(piece);
      output += text;
      written += escapeHtml(text);
    }
  }
  return output === code && open.length === 0 ? written : null;
}

const fits = (code: string): boolean => code.length <= longestColoured && code.split("\n").every(({ length }) => length <= longestLine);

const languageOf = (name: string | undefined): CodeLanguage | null => {
  const language = codeLanguage(name ?? "");
  return isCodeLanguage(language) ? language : null;
};

export async function coloursOf(content: CleanedContent): Promise<Place["colour"]> {
  const names = content.blocks.map(({ type, data }) => (type === "code" && fits(data.code) ? languageOf(data.language) : null));
  const languages = [...new Set(names)].filter((name) => name !== null);
  if (languages.length === 0) return undefined;
  const { default: highlighter } = await import("highlight.js/lib/core");
  for (const language of languages) {
    if (!highlighter.getLanguage(language)) highlighter.registerLanguage(language, (await grammars[language]()).default);
  }
  let left = mostColoured;
  return (code, name) => {
    const language = languageOf(name);
    if (language === null || code.length > left || !fits(code) || !highlighter.getLanguage(language)) return null;
    left -= code.length;
    return ownHtml(highlighter.highlight(code, { language, ignoreIllegals: true }).value, code);
  };
}
