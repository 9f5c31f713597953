import { describe, expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { codeLanguages } from "#contract/blocks/code-languages.ts";
import { decodeEntities } from "#contract/blocks/text.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import { xssPayloads } from "../../tests/support/xss-payloads.ts";
import { coloursOf, longestColoured, mostColoured, ownHtml } from "./code-colours.ts";

const names = Object.keys(codeLanguages);
const postOf = (code: string, ...languages: string[]) =>
  cleanBlocks(languages.map((language) => ({ type: "code", data: { code, language } })));
async function pageOf(code: string, ...languages: string[]): Promise<string> {
  const content = postOf(code, ...languages);
  return blocksToHtml(content, { page: true, colour: await coloursOf(content) });
}

describe("code on the public page", () => {
  test("has a class for each kind of token, and its language's", async () => {
    expect(await pageOf('const a = "b"; // c', "ts")).toBe(
      '<pre tabindex="0"><code class="language-ts"><span class="k">const</span> a = <span class="s">&quot;b&quot;</span>; <span class="c">// c</span></code></pre>',
    );
    expect(await pageOf("- a\n+ b", "diff")).toContain('<span class="d">- a</span>\n<span class="s">+ b</span>');
  });
  test.each(names)("is supported for %s and keeps the text", async (language) => {
    const code = 'if (a < 1 && "b") { return `c`; } // <d> & \'e\'\n# f: "g"\n- h = null\n';
    const html = await pageOf(code, language);
    expect(decodeEntities(html.replace(/<[^>]*>/g, ""))).toBe(code);
    expect(html).toContain("<span class=");
  });
  test.each([
    ["of a language nobody knows", "const a = 1;", "klingon"],
    ["without a language", "const a = 1;", ""],
    ["that is long", "const a = 1;\n".repeat(longestColoured / 13 + 1), "typescript"],
    ["with an endless line", "a".repeat(401), "typescript"],
  ])("%s stays as it was", async (_name, code, language) => {
    const content = postOf(code, language);
    expect(await coloursOf(content)).toBeUndefined();
    expect(await pageOf(code, language)).toBe(blocksToHtml(content, { page: true }));
  });
  test("is highlighted up to a length, then plain", async () => {
    const code = "const a = 1;\n".repeat(200);
    const count = Math.ceil(mostColoured / code.length) + 3;
    const html = await pageOf(code, ...Array.from({ length: count }, () => "javascript"));
    expect(html.split("</pre>").filter((block) => block.includes("<span"))).toHaveLength(Math.floor(mostColoured / code.length));
  });
  test("isn't highlighted in feeds and emails, which lack our CSS", () => {
    expect(blocksToHtml(postOf("const a = 1;", "typescript"))).toBe(
      '<pre tabindex="0"><code class="language-typescript">const a = 1;</code></pre>',
    );
  });
  test.each(xssPayloads)("%j stays text in every language", async (payload) => {
    const content = postOf(payload, ...names);
    const colour = await coloursOf(content);
    for (const { data } of content.blocks) {
      const html = colour?.((data as { code: string }).code, (data as { language: string }).language) ?? "";
      expect(html.replace(/<span class="[ktsndc]">|<\/span>/g, "")).not.toMatch(/[<>"']/);
      expect(decodeEntities(html.replace(/<[^>]*>/g, ""))).toBe((data as { code: string }).code);
    }
  });
  test("is plain if the highlighter changes the text", () => {
    expect(ownHtml('<span class="hljs-keyword">a</span>', "b")).toBeNull();
    expect(ownHtml('<span class="hljs-keyword">a', "a")).toBeNull();
    expect(ownHtml("<img src=x onerror=alert(1)>", "a")).toBeNull();
    expect(ownHtml('<span class="hljs-subst"><span class="hljs-title function_">a</span></span>&lt;', "a<")).toBe(
      '<span class="t">a</span>&lt;',
    );
  });
});
