import { expect, test } from "vitest";
import { feedAt, formats, type FullEntry } from "./support/feeds.ts";
import { newPerson, newPost, paragraph, sql } from "./support/people.ts";
import { openWorkspace, visit } from "./support/public.ts";

test.each(formats)(
  "the $name feed keeps a post's id for good and its dates true through edits, unpublishing and republishing",
  async ({ path }) => {
    const owner = await newPerson("Ada Lovelace");
    const { id, subdomain } = await openWorkspace(owner);
    const feed = () => feedAt(subdomain, path);
    const entry = async (): Promise<FullEntry | undefined> => (await feed()).entries[0];
    const etag = async () => (await visit(subdomain, path)).headers.etag!;
    const unchangedSince = async (tag: string) => (await visit(subdomain, path, { headers: { "if-none-match": tag } })).status === 304;

    const post = await newPost(owner, id, { title: "First" });
    const save = async (change: object) => expect((await owner.api.put(`/api/posts/${post.id}`, change)).status).toBe(200);
    expect(await entry()).toBeUndefined();

    await save({ status: "published" });
    const published = (await entry())!;
    expect(published).toMatchObject({ id: `urn:uuid:${post.id}`, title: "First" });
    if (published.updated !== null) expect(published.updated).toBe(published.published);

    const tag = await etag();
    expect([await unchangedSince(tag), await entry()]).toEqual([true, published]);

    await save({ title: "Second", content_raw: JSON.stringify(paragraph("It says more.")) });
    const edited = (await entry())!;
    expect(edited).toMatchObject({ id: published.id, published: published.published, title: "Second" });
    expect(edited.content).toContain("It says more.");
    if (published.updated !== null) expect(Date.parse(edited.updated!)).toBeGreaterThan(Date.parse(published.updated));
    expect(await unchangedSince(tag)).toBe(false);

    await sql`update public.posts set slug = 'another-address' where id = ${post.id}`;
    const moved = (await entry())!;
    expect(moved).toEqual({ ...edited, url: edited.url.replace(/[^/]+$/, "another-address?via=feed") });

    await owner.api.delete(`/api/posts/${post.id}`);
    expect((await feed()).entries).toEqual([]);

    await save({ status: "draft" });
    expect((await feed()).entries).toEqual([]);
    await save({ status: "published" });
    expect(await entry()).toEqual(moved);
  },
);
