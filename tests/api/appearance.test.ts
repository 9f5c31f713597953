import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import { appearancePreviewEndpoints } from "#contract/appearance-preview.ts";
import { as } from "./support/client.ts";
import { newPost, newTeam, paragraph, sql, type Team } from "./support/people.ts";
import { setPublic, visit } from "./support/public.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

describe("an appearance preview", () => {
  const look = async (choice: object, { owner, workspaceId }: Pick<Team, "owner" | "workspaceId"> = team) =>
    as(appearancePreviewEndpoints.preview, await owner.api.post(`/api/workspaces/${workspaceId}/appearance/preview`, choice));

  test("shows page and widget with the latest posts, and stores nothing", async () => {
    const mine = await newTeam();
    await newPost(mine.editor, mine.workspaceId, { title: "Older news", blocks: paragraph("Before."), status: "published" });
    await newPost(mine.editor, mine.workspaceId, { title: "Latest news", blocks: paragraph("Just now."), status: "published" });
    await newPost(mine.editor, mine.workspaceId, { title: "Only a draft" });
    const { page: html, widget, sample } = await look({ locale: "ja", accent: "#ff5a5f" }, mine);
    const page = new JSDOM(html).window.document;
    expect(sample).toBe(false);
    expect(page.documentElement.lang).toBe("ja");
    expect([...page.querySelectorAll("article h2")].map((title) => title.textContent)).toEqual(["Latest news", "Older news"]);
    expect(page.querySelector("base")?.getAttribute("target")).toBe("_blank");
    expect(widget.posts.map(({ title }) => title)).toEqual(["Latest news", "Older news"]);
    expect(html).not.toContain("Only a draft");
    expect(await sql`select from public.appearances where workspace_id = ${mine.workspaceId}`).toHaveLength(0);
    expect((await visit(mine.subdomain, "/releases")).status).toBe(404);
  });

  test("has the public page's tags: those of published posts, whatever their names", async () => {
    const mine = await newTeam();
    const named = (html: string) => [...new JSDOM(html).window.document.querySelectorAll(".finder .tags a")].map((tag) => tag.textContent);
    for (const label of ["Beta", "Nobody's"]) await mine.owner.api.post(`/api/workspaces/${mine.workspaceId}/tags`, { label });
    await newPost(mine.editor, mine.workspaceId, { title: "News", status: "published", tags: ["fix", "beta"] });
    await newPost(mine.editor, mine.workspaceId, { title: "More", status: "published", tags: ['a,"b"\\{c}', "docs"] });
    await newPost(mine.editor, mine.workspaceId, { title: "Only a draft", tags: ["improvement"] });
    await setPublic(mine.workspaceId, true);
    const shown = named((await visit(mine.subdomain, "/releases")).body);
    expect(shown).toEqual(['a,"b"\\{c}', "Beta", "Documentation", "Fix"]);
    expect(named((await look({}, mine)).page)).toEqual(shown);
  });

  test("runs no script of a user's content", async () => {
    const evil = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
    const { page } = await look({ footer: evil, links: [{ label: evil.slice(0, 40), url: `https://x.example/${evil}` }] });
    const { document } = new JSDOM(page).window;
    expect(document.querySelectorAll("script:not([type='application/ld+json']), [onerror]")).toHaveLength(0);
  });
});
