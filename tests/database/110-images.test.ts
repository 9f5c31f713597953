import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { outcome } from "./support/refusal.ts";
import { type World, test } from "./support/world.ts";

const path = (workspace: string) => `${workspace}/${randomUUID()}.png`;
const showing = (...paths: string[]) => ({
  blocks: paths.map((p) => ({ type: "image", data: { file: { url: `/storage/v1/object/public/post-images/${p}` }, caption: "" } })),
});
const purge = ({ as }: World, id: string) => as("editor", (me) => me`select public.purge_post(${id})`);
const queued = async ({ tx }: World) =>
  (await tx`select path from private.discarded_files where discarded_at = now()`).map((row) => row.path);

test("a purge queues the images of the post and its versions", async ({ world }) => {
  const [now, before] = [path(world.acme), path(world.acme)];
  const post = await world.post({ content_raw: showing(before) });
  await world.as("editor", (me) => me`select public.save_post(${post.id}, ${{ content_raw: showing(now) } as never})`);
  await purge(world, post.id);
  expect((await queued(world)).sort()).toEqual([now, before].sort());
});

test("a purge keeps an image that another post shows", async ({ world }) => {
  const shared = path(world.acme);
  const [one, two] = [await world.post({ content_raw: showing(shared) }), await world.post({ content_raw: showing(shared) })];
  await purge(world, one.id);
  expect(await queued(world)).toEqual([]);
  await purge(world, two.id);
  expect(await queued(world)).toEqual([shared]);
});

test("a purge never discards another tenant's or an external image", async ({ world }) => {
  const post = await world.post({
    content_raw: showing(path(world.globex), `${world.acme}/../${world.globex}/x.png`, `x/${path(world.acme)}`),
  });
  await purge(world, post.id);
  expect(await queued(world)).toEqual([]);
});

test("a reader's purge is refused", async ({ world }) => {
  const post = await world.post({ content_raw: showing(path(world.acme)) });
  expect(await outcome(world.as("viewer", (me) => me`select public.purge_post(${post.id})`))).toBe("forbidden");
  expect(await queued(world)).toEqual([]);
});

test("the sweep queues images unused for 30 days, but not used or new ones", async ({ world }) => {
  const [shown, forgotten, fresh] = [path(world.acme), path(world.acme), path(world.acme)];
  for (const [name, age] of [
    [shown, "31 days"],
    [forgotten, "31 days"],
    [fresh, "29 days"],
  ] as const)
    await world.tx`insert into storage.objects (bucket_id, name, created_at) values ('post-images', ${name}, now() - ${age}::interval)`;
  await world.post({ content_raw: showing(shown) });
  await world.tx`select private.tidy_up()`;
  expect(await queued(world)).toEqual([forgotten]);
});

test("an image stays in use with a query string, or when a post only links to it", async ({ world }) => {
  const [asked, linked, forgotten] = [path(world.acme), path(world.acme), path(world.acme)];
  for (const name of [asked, linked, forgotten])
    await world.tx`insert into storage.objects (bucket_id, name, created_at) values ('post-images', ${name}, now() - interval '31 days')`;
  const link = `<a href="https://tidings.example/storage/v1/object/public/post-images/${linked}">The plan</a>`;
  await world.post({
    content_raw: { blocks: [...showing(`${asked}?v=2`).blocks, { type: "paragraph", data: { text: link } }] },
  });
  await world.tx`select private.tidy_up()`;
  expect(await queued(world)).toEqual([forgotten]);
});

test("an image that is used again before its deletion stays", async ({ world }) => {
  const mine = path(world.acme);
  await purge(world, (await world.post({ content_raw: showing(mine) })).id);
  await world.post({ content_raw: showing(mine) });
  const handedOut = await world.tx.savepoint(async (server) => {
    await server`set local role service_role`;
    return server`select * from public.discarded_files(1000)`;
  });
  expect(handedOut.map((row) => row.path)).not.toContain(mine);
});

describe("a replaced avatar or logo", () => {
  const at = (bucket: string, file: string) => `/storage/v1/object/public/${bucket}/${file}`;
  const setAvatar = ({ as, people }: World, url: string | null) =>
    as("editor", (me) => me`update public.profiles set avatar_url = ${url} where user_id = ${people.editor}`);
  const setLogo = ({ as, acme }: World, url: string | null) =>
    as("owner", (me) => me`update public.workspaces set logo_url = ${url} where id = ${acme}`);

  test("is queued once by the write that replaces it", async ({ world }) => {
    const [avatar, logo] = [path(world.people.editor), path(world.acme)];
    await setAvatar(world, at("avatars", avatar));
    await setLogo(world, at("logos", logo));
    expect(await queued(world)).toEqual([]);
    await setAvatar(world, at("avatars", path(world.people.editor)));
    await setAvatar(world, null);
    await setLogo(world, null);
    expect(await queued(world)).toEqual(expect.arrayContaining([avatar, logo]));
    expect(await queued(world)).toHaveLength(3);
  });

  test("stays when it is used again", async ({ world }) => {
    const mine = path(world.people.editor);
    for (const url of [at("avatars", mine), null, at("avatars", mine)]) await setAvatar(world, url);
    expect(await queued(world)).toEqual([]);
  });

  test("of another owner, or external, is never queued, whatever URL was written", async ({ world }) => {
    const elsewhere = [
      at("avatars", path(world.people.owner)),
      at("logos", path(world.globex)),
      at("avatars", `${world.people.editor}/../${path(world.people.owner)}`),
      `https://pictures.example${at("avatars", path(world.people.editor))}`,
    ];
    for (const url of [...elsewhere, null]) await setAvatar(world, url);
    for (const url of [at("logos", path(world.globex)), at("post-images", path(world.acme)), null]) await setLogo(world, url);
    expect(await queued(world)).toEqual([]);
  });
});
