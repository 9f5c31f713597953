import { beforeAll, describe, expect, test } from "vitest";
import { releaseAnswer } from "#contract/releases.ts";
import { newPerson, type Person, sql } from "./support/people.ts";
import { changePost, newPost, openWorkspace, readPage, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

describe("a release", () => {
  test("reads like an article, with its title, date, author, tags and content", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const blocks = [
      { type: "header", data: { text: "Why", level: 2 } },
      { type: "image", data: { file: { url: "/storage/v1/object/public/post-images/x/y.png" }, caption: "A cat" } },
      { type: "code", data: { code: "a < b" } },
    ];
    const { id: post, slug } = await newPost(owner, id, { title: "Dark <mode> & more", tags: ["docs", "mine"], blocks });
    await changePost(post, { author_name: "Grace Hopper" });
    const { page } = await readPage(subdomain, `/releases/${slug}`);
    const article = page.querySelector("article")!;
    expect(article.querySelector("h1")?.textContent).toBe("Dark <mode> & more");
    expect(article.querySelector(".author")?.textContent).toBe("By Grace Hopper");
    expect([...article.querySelectorAll(".tag")].map((tag) => tag.textContent)).toEqual(["Documentation", "mine"]);
    expect(article.querySelector(".body h2")?.textContent).toBe("Why");
    expect(article.querySelector("pre")?.textContent).toBe("a < b");
    expect(article.querySelector("img")?.getAttribute("src")).toBe("/storage/v1/object/public/post-images/x/y.png");
    expect(page.querySelector("meta[property='og:image']")?.getAttribute("content")).toMatch(/^http:\/\/[^/]+\/storage\/v1\//);
    expect(page.title).toBe("Dark <mode> & more · Acme");
    expect(JSON.parse(page.querySelector("script")!.textContent!)).toMatchObject({
      "@type": "BlogPosting",
      headline: "Dark <mode> & more",
    });
    const answer = releaseAnswer.parse(JSON.parse((await visit(subdomain, `/releases/${slug}.json`)).body));
    expect(answer.release.content_html).toContain(`src="http://${subdomain}.localhost:`);
    expect((await visit(subdomain, `/releases/${slug}.md`)).body).toContain("# Dark \\<mode\\> & more\n");
  });

  test("has headings that leave out no level, whatever its author chose, and look as chosen", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const blocks = [3, 3, 4, 3, 2].map((level) => ({ type: "header", data: { text: `<b>${level}</b>`, level } }));
    const levels = async (from: number) => {
      const { slug } = await newPost(owner, id, { title: `From ${from}`, blocks: blocks.slice(from) });
      const { page } = await readPage(subdomain, `/releases/${slug}`);
      return [...page.querySelectorAll(".body :is(h2, h3, h4)")].map((heading) => [
        heading.tagName,
        heading.getAttribute("aria-level") ?? heading.tagName[1],
      ]);
    };
    const down = ["H3", "2"];
    expect(await levels(0)).toEqual([down, ["H3", "3"], ["H4", "4"], ["H3", "3"], ["H2", "2"]]);
    expect(await levels(4)).toEqual([["H2", "2"]]);
    expect(await levels(2)).toEqual([
      ["H4", "2"],
      ["H3", "3"],
      ["H2", "2"],
    ]);
  });

  test("shows a change at once, and follows its older addresses and capital letters with 301", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const { id: post, slug } = await newPost(owner, id, { title: "First name" });
    expect((await visit(subdomain, `/releases/${slug}`)).status).toBe(200);
    await sql`update public.posts set slug = 'second-name' where workspace_id = ${id}`;
    for (const [path, to] of [
      ["/releases/first-name", "/releases/second-name"],
      ["/releases/First-Name", "/releases/second-name"],
      ["/releases/SECOND-NAME", "/releases/second-name"],
      ["/releases/first-name.json", "/releases/second-name.json"],
      ["/releases/second-name/", "/releases/second-name"],
    ] as const) {
      const { status, headers } = await visit(subdomain, path);
      expect([path, status, headers.location]).toEqual([path, 301, to]);
    }
    const bare = await visit(null, `/releases/first-name?workspace=${subdomain}`);
    expect([bare.status, bare.headers.location]).toEqual([301, `/releases/second-name?workspace=${subdomain}`]);
    await changePost(post, { title: "Changed" });
    expect((await visit(subdomain, "/releases/second-name")).body).toContain("Changed");
  });

  test.each([
    "/releases/no-such",
    "/releases/a/b",
    "/releases/%2e%2e%2fx",
    "/releases/%00",
    "/releases/widget.js",
    "/releases/x.xml",
    `/releases/${"a".repeat(300)}`,
    "/releases/_/api/x",
  ])("is not at %s", async (path) => {
    const { subdomain } = await openWorkspace(owner);
    const { status, headers } = await visit(subdomain, path);
    expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
  });
});
