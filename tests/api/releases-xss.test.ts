import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import type { HtmlNode } from "#contract/blocks/html-tree.ts";
import { releaseAnswer, widgetPost } from "#contract/releases.ts";
import { xssPayloads } from "../support/xss-payloads.ts";
import { feedAt, formats } from "./support/feeds.ts";
import { newPerson, type Person, sql } from "./support/people.ts";
import { changePost, newPost, openWorkspace, readPage, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

const title = '</title></script><script>alert(1)</script><img src=x onerror="alert(1)">]]>';

async function hostileRelease(): Promise<{ subdomain: string; slug: string }> {
  const { id, subdomain } = await openWorkspace(owner);
  const everywhere = (text: string) => [
    { type: "paragraph", data: { text } },
    { type: "header", data: { text, level: 2 } },
    { type: "list", data: { style: "unordered", items: [{ content: text, items: [{ content: text }] }] } },
    { type: "image", data: { file: { url: text }, caption: text } },
    { type: "code", data: { code: text } },
    { type: "quote", data: { text, caption: text } },
    { type: "table", data: { content: [[text]], withHeadings: true } },
    { type: "checklist", data: { items: [{ text }] } },
    { type: "raw", data: { html: text, text } },
  ];
  const storable = xssPayloads.map((text) => text.replaceAll("\0", ""));
  const { id: post, slug } = await newPost(owner, id, { title: "Hostile" });
  await changePost(post, {
    content_raw: { time: 0, blocks: storable.flatMap(everywhere), version: "2.28.2" }, // more than a save allows
    title,
    excerpt: title,
    author_name: title,
    tags: sql.array(["<b>x</b>", '"><img>']) as never,
  });
  await sql`update public.workspaces set name = ${title.slice(0, 100)}, logo_url = '/storage/v1/object/public/logos/"onerror="x' where id = ${id}`;
  return { subdomain, slug };
}

describe("no text of a post runs or breaks out, whatever the database contains:", () => {
  let subdomain: string;
  let slug: string;
  beforeAll(async () => {
    ({ subdomain, slug } = await hostileRelease());
  });

  test("on pages", async () => {
    for (const path of ["/releases", `/releases/${slug}`, "/releases/no-such", "/releases?tag=%3Cb%3Ex%3C%2Fb%3E"]) {
      const { page } = await readPage(subdomain, path);
      expect([...page.querySelectorAll("script")].filter(({ type }) => type !== "application/ld+json")).toEqual([]);
      expect(
        page.querySelectorAll(
          "iframe, object, embed, base, link[rel=stylesheet], form:not([role=search], [action='/releases/subscribe']), svg script",
        ).length,
      ).toBe(0);
      for (const element of page.querySelectorAll("*")) {
        for (const { name, value } of element.attributes) {
          expect(name).not.toMatch(/^on|^style$|^srcdoc$/);
          if (name === "href" || name === "src") expect(value).toMatch(/^(?:https?:|mailto:|\/(?!\/)|#[\w%-]+$)/);
        }
      }
      for (const data of page.querySelectorAll("script")) expect(() => JSON.parse(data.textContent!) as unknown).not.toThrow();
    }
  });

  test("in XML", async () => {
    for (const path of ["/releases/rss.xml", "/releases/atom.xml", "/sitemap.xml"]) {
      const { body, headers } = await visit(subdomain, path);
      const { window } = new JSDOM("");
      const xml = new window.DOMParser().parseFromString(body, "text/xml");
      expect(xml.querySelector("parsererror")?.textContent).toBeUndefined();
      expect(xml.querySelectorAll("script, img").length).toBe(0);
      expect(headers["content-type"]).toMatch(/xml/);
    }
  });

  test("in JSON", async () => {
    for (const path of ["/releases.json", `/releases/${slug}.json`, "/releases.feed.json", "/releases/widget.json"]) {
      const { body, headers } = await visit(subdomain, path);
      expect(() => JSON.parse(body) as unknown).not.toThrow();
      expect([headers["content-type"], headers["x-content-type-options"]]).toEqual([expect.stringContaining("json"), "nosniff"]);
    }
  });

  const harmless = (html: string): void => {
    const { body } = new JSDOM(`<body>${html}`).window.document;
    expect(body.querySelectorAll("script, style, iframe, object, embed, base, form, input, svg, math, link, meta, template").length).toBe(
      0,
    );
    for (const element of body.querySelectorAll("*"))
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on|^style$|^srcdoc$|^id$|^ping$/);
        if (name === "href" || name === "src") expect(value).toMatch(/^(?:https?:|mailto:)/);
      }
  };

  test("in the content for feeds and programs", async () => {
    for (const { path } of formats) {
      const [entry] = (await feedAt(subdomain, path)).entries;
      expect([entry!.title, entry!.author]).toEqual([title, title]);
      harmless(entry!.content);
    }
    const { release } = releaseAnswer.parse(JSON.parse((await visit(subdomain, `/releases/${slug}.json`)).body));
    harmless(release.content_html);
  });

  test("in the widget's tree", async () => {
    const { content } = widgetPost.parse(JSON.parse((await visit(subdomain, `/releases/${slug}.widget.json`)).body));
    const html = (node: HtmlNode): string => {
      if (typeof node === "string") return node.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
      const [tag, attributes, ...children] = node;
      const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${html(String(value))}"`);
      return `<${tag}${written.join("")}>${children.map(html).join("")}</${tag}>`;
    };
    harmless(content.map(html).join("").replaceAll("</br>", "").replaceAll("</img>", ""));
  });

  test("in Markdown, where nothing is HTML", async () => {
    const { body, headers } = await visit(subdomain, `/releases/${slug}.md`);
    expect([headers["content-type"], headers["x-content-type-options"]]).toEqual(["text/markdown; charset=utf-8", "nosniff"]);
    const text = body.replace(/^(`{3,})\n[^]*?\n\1$/gm, "").replace(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, "");
    expect(text.match(/(?<!\\)<(?!br>|https?:|mailto:).{0,40}/g)).toBeNull();
    expect(text.match(/\]\((?!https?:|mailto:|<)[^)]{0,40}/g)).toBeNull();
  });
});
