import { expect, test } from "vitest";
import { scriptAddress, scriptText, withoutActiveMarkup } from "./trusted-types.ts";
import { xssPayloads } from "../../tests/support/xss-payloads.ts";

const parse = (html: string): HTMLTemplateElement => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template;
};
const clean = (html: string) => withoutActiveMarkup(html, parse);

test.each([
  "plain text, 1 < 2",
  '<b>bold</b> and <mark class="cdx-marker">marked</mark><br>',
  '<a href="https://example.com/?a=1&amp;b=2">a link</a>',
  '<svg width="24" viewBox="0 0 24 24"><path stroke="currentColor" d="M5 7L5 17"></path></svg>',
  "<tr><td>a cell</td></tr>",
  '<img src="data:image/png;base64,AAAA">',
  "<style>.p-component { color: red }</style>",
])("withoutActiveMarkup keeps %s", (html) => expect(clean(html)).toBe(html));

test.each([
  ["<img src=x onerror=alert(1)>", '<img src="x">'],
  ["<b>kept</b><script>alert(1)</script>", "<b>kept</b>"],
  ['<a href="java\nscript:alert(1)">x</a>', "<a>x</a>"],
  ['<a href="&#106;avascript:alert(1)">x</a>', "<a>x</a>"],
  ['<iframe srcdoc="<script>alert(1)</script>"></iframe>', ""],
  ["<svg/onload=alert(1)>", "<svg></svg>"],
])("withoutActiveMarkup cleans %s", (html, expected) => expect(clean(html)).toBe(expected));

test("withoutActiveMarkup removes every script of known attacks", () => {
  for (const payload of xssPayloads) {
    const tree = parse(clean(payload));
    expect([payload, tree.content.querySelector("script, iframe, object, embed, base, [srcdoc]")]).toEqual([payload, null]);
    for (const element of tree.content.querySelectorAll("*"))
      for (const { name, value } of element.attributes)
        expect([payload, name, /^on/i.test(name) || (/href|src/.test(name) && /^\s*javascript:/i.test(value))]).toEqual([
          payload,
          name,
          false,
        ]);
  }
});

test("scriptAddress accepts http and https only", () => {
  expect(scriptAddress("/assets/app.js")).toBe("/assets/app.js");
  expect(scriptAddress("https://challenges.cloudflare.com/turnstile/v0/api.js")).not.toBeNull();
  for (const address of ["data:text/javascript,alert(1)", "javascript:alert(1)", "blob:https://tidings.example/x"])
    expect(scriptAddress(address)).toBeNull();
});

test("scriptText accepts only the lookup of the global object", () => {
  expect(scriptText("(function anonymous(\n) {\nreturn this\n})")).not.toBeNull();
  for (const code of ["alert(1)", "(function anonymous(\n) {\nreturn this.alert(1)\n})", "return this"])
    expect(scriptText(code)).toBeNull();
});
