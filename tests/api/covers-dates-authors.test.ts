import { beforeAll, describe, expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { revisionEndpoints } from "#contract/revisions.ts";
import { as } from "./support/client.ts";
import { pictures } from "./support/images.ts";
import { newPerson, newPost, newTeam, type Person, sql, type Team } from "./support/people.ts";
import { readPage, setPublic, visit } from "./support/public.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
  await setPublic(team.workspaceId, true);
});

const put = (person: Person, id: string, body: object) => person.api.put(`/api/posts/${id}`, body as Record<string, unknown>);
const saved = async (id: string, body: object) => as(postEndpoints.update, await put(team.editor, id, body)).post;

async function upload(): Promise<string> {
  const form = new FormData();
  form.set("image", new File([pictures.png], "picture.png", { type: "image/png" }));
  const answer = await team.editor.api.send("POST", `/api/workspaces/${team.workspaceId}/editor/image-upload`, { body: form });
  return as(postEndpoints.uploadImage, answer).file.url;
}

describe("a cover image", () => {
  test("that was uploaded is in public pages, feeds, previews and the widget; 'none' removes it", async () => {
    const url = await upload();
    const text = { type: "image", data: { file: { url: "https://cdn.example/in-the-text.png" } } };
    const cover_image = { url, alt: "The new menu", width: 12, height: 8 };
    const made = await newPost(team.editor, team.workspaceId, {
      title: "With a cover",
      status: "published",
      blocks: [{ type: "paragraph", data: { text: "Words." } }, text],
      cover_image,
    });
    expect(as(postEndpoints.read, await team.viewer.api.get(`/api/posts/${made.id}`)).post.cover_image).toEqual(cover_image);

    const { page } = await readPage(team.subdomain, `/releases/${made.slug}`);
    const meta = (name: string) => page.querySelector(`meta[property="${name}"]`)?.getAttribute("content");
    expect([meta("og:image"), meta("og:image:alt"), meta("og:image:width")]).toEqual([
      expect.stringContaining(url) as string,
      "The new menu",
      "12",
    ]);
    expect(page.querySelector("meta[name='twitter:card']")?.getAttribute("content")).toBe("summary_large_image");
    expect(page.querySelector(".cover img")?.getAttribute("alt")).toBe("The new menu");
    const list = (await readPage(team.subdomain, "/releases")).page;
    expect([...list.querySelectorAll(".entry img")].map((image) => image.getAttribute("src"))).toContain(url);

    const read = async (path: string) => (await visit(team.subdomain, path)).body;
    expect(await read("/releases/rss.xml")).toMatch(new RegExp(`<media:content url="[^"]+${url}" medium="image" width="12" height="8">`));
    expect(await read("/releases/atom.xml")).toContain(`${url}" medium="image"`);
    const feed = JSON.parse(await read("/releases.feed.json")) as { items: { image?: string }[] };
    expect(feed.items[0]!.image).toContain(url);
    const widget = JSON.parse(await read("/releases/widget.json")) as { posts: { image: { url: string } | null }[] };
    expect(widget.posts[0]!.image?.url).toContain(url);

    await saved(made.id, { cover_image: null });
    expect(await read("/releases/rss.xml")).toContain("https://cdn.example/in-the-text.png");
    await saved(made.id, { cover_image: "none" });
    expect(await read("/releases/rss.xml")).not.toContain("media:content");
    const { revision } = as(revisionEndpoints.read, await team.viewer.api.get(`/api/posts/${made.id}/revisions/1`));
    expect(revision.cover_image).toEqual(cover_image);
  });

  test.each([
    "other",
    { url: "https://evil.example/x.png", alt: "" },
    { url: "javascript:alert(1)", alt: "" },
    { url: "//evil.example/x.png", alt: "" },
    { url: "", alt: "" },
    { url: "/storage/v1/object/public/post-images/../../secret", alt: "" },
  ])("can't be %j", async (cover_image) => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const { status, body } = await put(team.editor, id, { cover_image });
    expect([status, body.code]).toEqual([422, "validation_failed"]);
    expect(Object.keys(body.fields ?? {})[0]).toMatch(/^cover_image/);
  });
});

describe("an author", () => {
  test("who leaves at the same time is stored completely or not at all", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const guest = await newPerson("Gus Guest");
    await sql`insert into public.members (workspace_id, user_id, role) values (${team.workspaceId}, ${guest.id}, 'viewer')`;
    const [answer] = await Promise.all([
      put(team.editor, id, { author_id: guest.id }),
      team.owner.api.delete(`/api/team/${team.workspaceId}/members/${guest.id}`),
    ]);
    const { post } = as(postEndpoints.read, await team.editor.api.get(`/api/posts/${id}`));
    expect(post.author_name).toBe(answer.status === 200 ? "Gus Guest" : "Edda Editor");
  });
});
