import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import { previewEndpoints } from "#contract/previews.ts";
import { blockLimits } from "#contract/blocks/limits.ts";
import { as } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newPost, newTeam, paragraph, type Person, sql, type Team } from "./support/people.ts";
import { readPage, setPublic } from "./support/public.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

const ask = (person: Person, body: object, workspaceId = team.workspaceId) =>
  person.api.post(`/api/workspaces/${workspaceId}/posts/preview`, body as Record<string, unknown>);
const draft = (fields: object = {}) => ({ title: "Dark mode", blocks: paragraph("Easy on the <b>eyes</b>."), ...fields });

describe("an editor's preview", () => {
  test("is the public page byte by byte, except that it doesn't count and its links are disabled", async () => {
    const { workspaceId, subdomain, editor, viewer } = await newTeam();
    await setPublic(workspaceId, true);
    const blocks = paragraph("Easy on the <b>eyes</b>.");
    const post = await newPost(editor, workspaceId, { title: "Dark mode", tags: ["feature"], blocks, status: "published" });
    const answer = await ask(viewer, { post_id: post.id, title: post.title, tags: post.tags, blocks }, workspaceId);
    const { page: html } = as(previewEndpoints.post, answer);
    const [preview, page] = [new JSDOM(html).window.document, (await readPage(subdomain, `/releases/${post.slug}`)).page];
    expect(preview.querySelector("base")?.getAttribute("target")).toBe("_blank");
    expect(html).not.toContain(".gif");
    preview.querySelector("base")?.remove();
    for (const one of page.querySelectorAll("[href$='.gif'], .reading, .later")) one.remove();
    for (const document of [preview, page]) document.querySelector("script")?.remove();
    expect(preview.documentElement.outerHTML).toBe(page.documentElement.outerHTML);
  });

  test("shows what is on the screen, only to its author, and stores nothing", async () => {
    const { id } = await newPost(team.editor, team.workspaceId, { title: "As saved" });
    const { page, widget, card } = as(
      previewEndpoints.post,
      await ask(team.editor, draft({ post_id: id, title: "Not saved", summary: "In short.", cover_image: "none" })),
    );
    expect(new JSDOM(page).window.document.querySelector("h1")?.textContent).toBe("Not saved");
    expect(widget.data.posts).toMatchObject([{ title: "Not saved", excerpt: "In short.", image: null }]);
    expect(widget.post.content).toEqual([["p", {}, "Easy on the ", ["b", {}, "eyes"], "."]]);
    const drawn = `/api/workspaces/${team.workspaceId}/posts/preview/picture?title=Not+saved&published_at=`;
    expect(card).toMatchObject({
      title: "Not saved · Acme",
      description: "In short.",
      image: { alt: "Not saved", large: true, url: expect.stringContaining(drawn) as string },
    });
    expect(card.url).toMatch(/\/releases\/not-saved$/);
    expect(await sql`select title, version from public.posts where id = ${id}`).toEqual([{ title: "As saved", version: 1 }]);
  });

  test("shows the email, and sends it to oneself as a test without a subscription", async () => {
    const { email } = as(previewEndpoints.post, await ask(team.editor, draft()));
    expect([email.subject, new JSDOM(email.html).window.document.querySelector("h1")?.textContent]).toEqual(["Dark mode", "Dark mode"]);
    const answer = await team.editor.api.post(`/api/workspaces/${team.workspaceId}/posts/preview/email`, draft());
    expect(as(previewEndpoints.testEmail, answer)).toEqual({ sent: true, to: team.editor.email });
    const [mail] = await caughtMails(team.editor.email);
    expect(mail).toMatchObject({ subject: "[Test] Dark mode", text: expect.stringContaining("Easy on the eyes.") as string });
    expect(mail!.html.replace(/http[^"]+(?=\/storage\/)/g, "")).toBe(email.html);
    expect(mail!.html).not.toContain("/subscription/");
    expect(Object.keys(mail!.headers).map((name) => name.toLowerCase())).not.toContain("list-unsubscribe");
  });

  test("needs no title, text or saved post, and isn't cached", async () => {
    const answer = await ask(team.editor, { title: "", blocks: { blocks: [] } });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(as(previewEndpoints.post, answer).page).toContain("<h1>Untitled</h1>");
  });

  test("of an imported post has its date and author, or none", async () => {
    const imported = { published_at: "2026-03-03T09:00:00Z", author: "Mia Wong" };
    const textOf = async (fields: object) => {
      const { page } = as(previewEndpoints.post, await ask(team.editor, draft(fields)));
      return new JSDOM(page).window.document.querySelector("main")!.textContent;
    };
    expect(await textOf(imported)).toMatch(/March 3rd, 2026[^]*Mia Wong/);
    expect(await textOf({ ...imported, author: null })).not.toMatch(/Eddie|By /);
    expect((await ask(team.editor, draft({ published_at: "yesterday" }))).body.fields).toHaveProperty("published_at");
  });

  test("runs no script of a user's content", async () => {
    const evil = `<img src=x onerror=alert(1)><script>alert(1)</script><a href="javascript:alert(1)">x</a>`;
    const { page } = as(
      previewEndpoints.post,
      await ask(team.editor, draft({ title: evil.slice(0, 100), summary: evil, blocks: paragraph(evil) })),
    );
    const { document } = new JSDOM(page).window;
    expect(document.querySelectorAll("script:not([type='application/ld+json']), [onerror], [href^='javascript']")).toHaveLength(0);
  });
});

describe("a preview without access is refused", () => {
  test("a preview has a post's limits", async () => {
    const blocks = Array.from({ length: blockLimits.blocks + 1 }, () => ({ type: "paragraph", data: { text: "x" } }));
    const { status, body } = await ask(team.editor, draft({ blocks }));
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, ["blocks"]]);
  });
});
