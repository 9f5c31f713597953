import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import { xssPayloads } from "../support/xss-payloads.ts";
import { newPerson, type Person, sql } from "./support/people.ts";
import { changePost, newPost, openWorkspace, readPage, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

describe("no text of a post", () => {
  test("runs or escapes on any surface, whatever stands in the database", async () => {
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
    const { id: post, slug } = await newPost(owner, id, { title: "Hostile", blocks: storable.flatMap(everywhere) });
    const title = '</title></script><script>alert(1)</script><img src=x onerror="alert(1)">]]>';
    await changePost(post, {
      title,
      excerpt: title,
      author_name: title,
      tags: sql.array(["<b>x</b>", '"><img>']) as never,
    });
    await sql`update public.workspaces set name = ${title.slice(0, 100)}, logo_url = '/storage/v1/object/public/logos/"onerror="x' where id = ${id}`;
    for (const path of ["/releases", `/releases/${slug}`, "/releases/no-such", "/releases?tag=%3Cb%3Ex%3C%2Fb%3E"]) {
      const { page } = await readPage(subdomain, path);
      expect([...page.querySelectorAll("script")].filter(({ type }) => type !== "application/ld+json")).toEqual([]);
      expect(page.querySelectorAll("iframe, object, embed, base, link[rel=stylesheet], form:not([role=search]), svg script").length).toBe(
        0,
      );
      for (const element of page.querySelectorAll("*")) {
        for (const { name, value } of element.attributes) {
          expect(name).not.toMatch(/^on|^style$|^srcdoc$/);
          if (name === "href" || name === "src") expect(value).toMatch(/^(?:https?:|mailto:|\/(?!\/)|#content$)/);
        }
      }
    }
    for (const path of ["/releases/rss.xml", "/releases/atom.xml", "/sitemap.xml"]) {
      const { body, headers } = await visit(subdomain, path);
      const { window } = new JSDOM("");
      const xml = new window.DOMParser().parseFromString(body, "text/xml");
      expect(xml.querySelector("parsererror")?.textContent).toBeUndefined();
      expect(xml.querySelectorAll("script, img").length).toBe(0);
      expect(headers["content-type"]).toMatch(/xml/);
    }
    for (const path of ["/releases.json", `/releases/${slug}.json`, "/releases.feed.json", "/releases/widget.json"]) {
      const { body, headers } = await visit(subdomain, path);
      expect(() => JSON.parse(body) as unknown).not.toThrow();
      expect([headers["content-type"], headers["x-content-type-options"]]).toEqual([expect.stringContaining("json"), "nosniff"]);
    }
  });
});
