import { strFromU8, unzipSync } from "fflate";
import { parseJsonFeed } from "feedsmith";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { Client } from "./support/client.ts";
import { pictures } from "./support/images.ts";
import { newKey, newPost, newTeam, signedInBrowser, sql, type Team } from "./support/people.ts";

const { url } = inject("stack");

let team: Team;
let path: string;
let imageUrl: string;
beforeAll(async () => {
  team = await newTeam();
  path = `/api/workspaces/${team.workspaceId}/export`;
  await team.owner.api.post("/api/public/changelog/toggle", { isPublic: true, workspaceId: team.workspaceId });
  const kept = await team.editor.api.upload<{ file: { url: string } }>(
    `/api/workspaces/${team.workspaceId}/editor/image-upload`,
    pictures.png,
  );
  imageUrl = new URL(kept.body.file.url, url).pathname;
  await newPost(team.editor, team.workspaceId, {
    title: "Out [now]",
    status: "published",
    tags: ["fix"],
    summary: "In short.",
    blocks: {
      time: 0,
      version: "2.28.2",
      blocks: [
        { type: "header", data: { text: "Added", level: 2 } },
        { type: "image", data: { file: { url: imageUrl }, caption: "" } },
      ],
    },
  });
  await newPost(team.editor, team.workspaceId, { title: "An idea", status: "draft" });
  await newPost(team.editor, team.workspaceId, { title: "Soon", status: "scheduled", publish_at: "2035-01-01T00:00:00.000Z" });
  const { id } = await newPost(team.editor, team.workspaceId, { title: "Gone", status: "published" });
  await sql`update public.posts set status = 'archived' where id = ${id}`;
});

const today = () => new Date().toISOString().slice(0, 10);
async function fileOf(asking: Client, address: string) {
  const answer = await fetch(asking.url + address, {
    headers: { cookie: asking.cookieHeader, ...(asking.token && { authorization: `Bearer ${asking.token}` }) },
  });
  const { status, headers } = answer;
  const said = (name: string) => headers.get(name);
  return { status, said, bytes: new Uint8Array(await answer.arrayBuffer()) };
}
const exportsOf = (workspaceId: string) => sql<{ actor_kind: string; details: object }[]>`
  select actor_kind, details from private.audit_log where workspace_id = ${workspaceId} and kind = 'workspace_exported' order by id`;

test("the owner exports all posts as Markdown, with their images", async () => {
  for (const owner of [team.owner.api, await signedInBrowser(team.owner)]) {
    const { status, said, bytes } = await fileOf(owner, `${path}?format=markdown`);
    expect([status, said("content-type"), said("cache-control")]).toEqual([200, "application/zip", "no-store"]);
    expect(said("content-disposition")).toBe(`attachment; filename="tidings-${team.subdomain}-${today()}.zip"`);
    const files = unzipSync(bytes);
    const image = imageUrl.slice(imageUrl.lastIndexOf("/") + 1);
    expect(Object.keys(files).sort()).toEqual(
      [
        `images/${image}`,
        `posts/${today()}-gone.md`,
        `posts/${today()}-out-now.md`,
        "posts/2035-01-01-soon.md",
        "posts/draft-an-idea.md",
      ].toSorted(),
    );
    expect(files[`images/${image}`]).toEqual(new Uint8Array(await (await fetch(url + imageUrl)).arrayBuffer()));
    const [, above = "", text] = /^---\n([^]*?)\n---\n\n([^]*)$/.exec(strFromU8(files[`posts/${today()}-out-now.md`]!)) ?? [];
    expect(parseYaml(above)).toMatchObject({ title: "Out [now]", status: "published", tags: ["Fix"], summary: "In short." });
    expect(text).toMatch(new RegExp(`^## Added\\n\\n!\\[\\]\\(\\.\\./images/${image}\\)\\n`));
  }
});

test("the owner exports public posts as a CHANGELOG.md and a feed", async () => {
  const markdown = await fileOf(team.owner.api, `${path}?format=changelog`);
  expect([markdown.said("content-type"), markdown.said("content-disposition")]).toEqual([
    "text/markdown; charset=utf-8",
    'attachment; filename="CHANGELOG.md"',
  ]);
  const text = strFromU8(markdown.bytes);
  expect(text).toContain(`\n## [Out \\[now\\]] - ${today()}\n\n### Added\n`);
  expect(text).toMatch(new RegExp(`\\n\\[Out \\\\\\[now\\\\\\]\\]: https?://${team.subdomain}\\.[^/]+/releases/out-now\\n$`));
  expect(text).not.toMatch(/An idea|Soon|Gone/);

  const feed = await fileOf(team.owner.api, `${path}?format=feed`);
  expect([feed.said("content-type"), feed.said("content-disposition")]).toEqual([
    "application/feed+json",
    `attachment; filename="tidings-${team.subdomain}-${today()}.feed.json"`,
  ]);
  expect(parseJsonFeed(strFromU8(feed.bytes)).items?.map(({ title }) => title)).toEqual(["Out [now]"]);
});

test("an export of several pages is one audit log entry, and has every post once, in order", async () => {
  const { owner, workspaceId } = await newTeam();
  await newPost(owner, workspaceId, { title: "First", status: "published" });
  await sql`insert into public.posts (workspace_id, title, status, published_at, content_raw)
    select ${workspaceId}, 'Post ' || n, 'published', '2020-01-01'::timestamptz + n * interval '1 hour',
      jsonb_build_object('time', 0, 'version', '2.28.2', 'blocks', jsonb_build_array(jsonb_build_object('type', 'paragraph', 'data',
        jsonb_build_object('text', repeat(md5(n::text) || ' ', 300)))))
    from generate_series(1, 230) as n`;
  const changelog = strFromU8((await fileOf(owner.api, `/api/workspaces/${workspaceId}/export?format=changelog`)).bytes);
  const titles = [...changelog.matchAll(/^## \[(.+)\] - /gm)].map(([, title]) => title);
  expect(titles).toEqual(["First", ...Array.from({ length: 230 }, (_, at) => `Post ${230 - at}`)]);
  const files = unzipSync((await fileOf(owner.api, `/api/workspaces/${workspaceId}/export?format=markdown`)).bytes);
  expect(Object.keys(files)).toHaveLength(231);
  expect(await exportsOf(workspaceId)).toEqual([
    { actor_kind: "person", details: { format: "changelog" } },
    { actor_kind: "person", details: { format: "markdown" } },
  ]);
});

describe("an export by a key", () => {
  test("that was revoked is refused", async () => {
    const { api, key } = await newKey(team.owner, team.workspaceId, { scopes: ["posts:read"] });
    await team.owner.api.send("DELETE", `/api/workspaces/${team.workspaceId}/keys/${key.id}`);
    const { status, body } = await api.get("/api/v1/export?format=feed");
    expect([status, body.code]).toEqual([401, "unauthenticated"]);
  });
});
