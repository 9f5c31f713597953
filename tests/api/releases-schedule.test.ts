import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { newPerson, newWorkspace, sql } from "./support/people.ts";
import { changePost, newPost, setPublic, visit } from "./support/public.ts";

test("a scheduled post appears on every surface at its time, before the publisher has run", async () => {
  const owner = await newPerson();
  const { id, subdomain } = await newWorkspace(owner);
  await setPublic(id, true);
  const post = await newPost(owner, id, { title: "Punctual", tags: ["fix"], state: "draft" });
  const due = Date.now() + 8_000;
  await changePost(post.id, { status: "scheduled", publish_at: new Date(due).toISOString() });
  const surfaces = [
    "/releases",
    "/releases?q=punctual",
    "/releases?tag=fix",
    `/releases?month=${new Date(due).toISOString().slice(0, 7)}`,
    "/releases.json",
    "/releases/rss.xml",
    "/releases/atom.xml",
    "/releases.feed.json",
    "/releases/widget.json",
    "/sitemap.xml",
    `/releases/${post.slug}`,
    `/releases/${post.slug}.md`,
  ];
  const showing = async (): Promise<string[]> => {
    const replies = await Promise.all(surfaces.map((path) => visit(subdomain, path)));
    return surfaces.filter((_, index) => replies[index]!.status === 200 && /\/releases\/punctual\b|^# Punctual/.test(replies[index]!.body));
  };

  // The publisher skips locked rows.
  await sql.begin(async (transaction) => {
    await transaction`select from public.posts where id = ${post.id} for update`;
    expect(await showing()).toEqual([]);
    await wait(due - Date.now() + 50);
    expect(await showing()).toEqual(surfaces);
    const [row] = await transaction<{ status: string }[]>`select status from public.posts where id = ${post.id}`;
    expect(row?.status).toBe("scheduled");
  });
});
