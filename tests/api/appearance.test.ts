import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import { type Appearance, appearanceEndpoints } from "#contract/appearance.ts";
import { appearancePreviewEndpoints } from "#contract/appearance-preview.ts";
import { as } from "./support/client.ts";
import { pictures, pngOf } from "./support/images.ts";
import { newPost, newTeam, paragraph, sql, type Team } from "./support/people.ts";
import { setPublic, visit } from "./support/public.ts";

let team: Team;
let address: string;
beforeAll(async () => {
  team = await newTeam();
  address = `/api/workspaces/${team.workspaceId}/appearance`;
});

const choices = {
  ...{ accent: "#ff5a5f", theme: "dark", layout: "excerpts", font: "source-serif", date_format: "iso", footer: "© Acme", branding: false },
  ...{ links: [{ label: "Docs", url: "https://docs.acme.example/" }], locale: "de" },
} as const;
const nothing = { logo_url: null, logo_dark_url: null, favicon_url: null };

describe("the look", () => {
  test("is what was saved, whoever asks; what is not named stays", async () => {
    expect(as(appearanceEndpoints.put, await team.admin.api.put(address, choices))).toEqual({ ...choices, ...nothing });
    expect((await team.owner.api.put(address, { accent: null, footer: "" })).body).toEqual({
      ...choices,
      accent: null,
      footer: "",
      ...nothing,
    });
    expect((await team.viewer.api.get(address)).body).toEqual({ ...choices, accent: null, footer: "", ...nothing });
    expect((await team.owner.api.put(address, {})).body).toEqual({ ...choices, accent: null, footer: "", ...nothing });
  });

  test("is tidied: a colour in capitals, addresses, lines", async () => {
    const { body } = await team.owner.api.put<Appearance>(address, {
      accent: " #FF5A5F ",
      footer: " one\n\ttwo ",
      links: [
        { label: " Our\u0000docs ", url: " HTTPS://Docs.Acme.Example " },
        { label: "Write", url: "mailto:a@acme.example" },
      ],
    });
    expect(body).toMatchObject({
      accent: "#ff5a5f",
      footer: "one two",
      links: [
        { label: "Our docs", url: "https://docs.acme.example/" },
        { label: "Write", url: "mailto:a@acme.example" },
      ],
    });
  });
});

describe.each([
  ["logo-dark", "logo_dark_url"],
  ["favicon", "favicon_url"],
])("the picture %s", (picture, field) => {
  const isThere = async (path: string) => (await fetch(team.owner.api.url + path)).status === 200;

  test("is stored, shown and replaced; what it was goes with its file", async () => {
    const at = `${address}/${picture}`;
    const first = as(appearanceEndpoints.uploadPicture, await team.owner.api.upload(at, pictures.png));
    expect((await team.viewer.api.get(address)).body).toMatchObject({ [field]: first.url });
    expect(await isThere(first.url)).toBe(true);
    const second = as(appearanceEndpoints.uploadPicture, await team.admin.api.upload(at, pictures.gif));
    expect([await isThere(first.url), await isThere(second.url)]).toEqual([false, true]);
    await team.owner.api.put(address, { theme: "light" });
    expect((await team.viewer.api.get(address)).body).toMatchObject({ [field]: second.url, theme: "light" });
    expect((await team.owner.api.delete(at)).body).toEqual({ success: true });
    expect((await team.viewer.api.get(address)).body).toMatchObject({ [field]: null });
    expect(await isThere(second.url)).toBe(false);
    expect((await team.owner.api.delete(at)).status).toBe(200); // there is none: nothing to do
  });

  test("of ten megabytes is refused, as is an SVG with a script", async () => {
    const large = await team.owner.api.upload(`${address}/${picture}`, pngOf(10_485_760));
    expect(large.status).toBe(413);
    const drawing = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    expect(await team.owner.api.upload(`${address}/${picture}`, drawing, "logo.svg", "image/svg+xml")).toMatchObject({
      status: 415,
      body: { code: "file_not_image" },
    });
    expect((await team.viewer.api.get(address)).body).toMatchObject({ [field]: null });
  });
});

describe("trying a look out", () => {
  const look = async (choice: object, { owner, workspaceId }: Pick<Team, "owner" | "workspaceId"> = team) =>
    as(appearancePreviewEndpoints.preview, await owner.api.post(`/api/workspaces/${workspaceId}/appearance/preview`, choice));

  test("shows page and widget in it, with the latest posts, and keeps nothing", async () => {
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
    expect((await visit(mine.subdomain, "/releases")).status).toBe(404); // the changelog is not open, and a preview opens nothing
  });

  test("has the tags of the public page: those that published posts carry, however they are called", async () => {
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

  test("runs nothing that somebody wrote", async () => {
    const evil = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
    const { page } = await look({ footer: evil, links: [{ label: evil.slice(0, 40), url: `https://x.example/${evil}` }] });
    const { document } = new JSDOM(page).window;
    expect(document.querySelectorAll("script:not([type='application/ld+json']), [onerror]")).toHaveLength(0);
  });
});
