import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, inWorld, type Person, type World } from "./support/world.ts";

const sql = connect();
const add = ({ as }: World, person: Person | "anon", bucket: string, name: string) =>
  as(person, (me) => me`insert into storage.objects (bucket_id, name) values (${bucket}, ${name})`);
const fileIn = (folder: string) => `${folder}/${randomUUID()}.png`;
/** Who may add to and remove from acme's folder. */
const keepers: Record<string, readonly Person[]> = { "post-images": ["owner", "admin", "editor", "mixed"], logos: ["owner", "admin"] };

test("the buckets are public and take only images of the product's sizes", async () => {
  const buckets =
    await sql`select id, public, file_size_limit::int as limit, allowed_mime_types from storage.buckets where id in ('post-images', 'logos', 'avatars') order by id`;
  const types = ["image/png", "image/jpeg", "image/webp", "image/gif"];
  expect([...buckets]).toEqual([
    { id: "avatars", public: true, limit: 2_097_152, allowed_mime_types: types },
    { id: "logos", public: true, limit: 5_242_880, allowed_mime_types: types },
    { id: "post-images", public: true, limit: 5_242_880, allowed_mime_types: types },
  ]);
});

for (const [bucket, allowed] of Object.entries(keepers)) {
  describe(bucket, () => {
    test.each(everybody)("%s adds and removes files of acme only with the role for it", (person) =>
      inWorld(sql, async (world) => {
        expect(await outcome(add(world, person, bucket, fileIn(world.acme)))).toBe(allowed.includes(person) ? "allowed" : forbiddenByGrant);
        await add(world, "owner", bucket, fileIn(world.acme));
        const removed = await world.as(
          person,
          (me) => me`delete from storage.objects where bucket_id = ${bucket} and name like ${`${world.acme}/%`} returning id`,
        );
        expect(removed.length > 0).toBe(allowed.includes(person));
      })(),
    );

    test(
      "another workspace's folder is closed, and a file's name and bucket cannot be changed",
      inWorld(sql, async (world) => {
        expect(await outcome(add(world, "owner", bucket, fileIn(world.globex)))).toBe(forbiddenByGrant);
        await add(world, "owner", bucket, fileIn(world.acme));
        expect(await world.as("owner", (me) => me`update storage.objects set name = ${fileIn(world.globex)} returning id`)).toHaveLength(0);
      }),
    );

    test(
      "only members list it",
      inWorld(sql, async (world) => {
        await add(world, "owner", bucket, fileIn(world.acme));
        for (const person of everybody) {
          const seen = await world.as(person, (me) => me`select name from storage.objects`);
          expect([person, seen.length]).toEqual([person, person === "rival" || person === "stranger" ? 0 : 1]);
        }
        expect(await world.as("anon", (me) => me`select name from storage.objects`)).toHaveLength(0);
      }),
    );
  });
}

test(
  "an avatar is its person's alone",
  inWorld(sql, async (world) => {
    expect(await outcome(add(world, "viewer", "avatars", fileIn(world.people.viewer)))).toBe("allowed");
    expect(await outcome(add(world, "owner", "avatars", fileIn(world.people.viewer)))).toBe(forbiddenByGrant);
    expect(await world.as("owner", (me) => me`select * from storage.objects where bucket_id = 'avatars'`)).toHaveLength(0);
    expect(await world.as("owner", (me) => me`delete from storage.objects where bucket_id = 'avatars' returning id`)).toHaveLength(0);
  }),
);

test.each([
  "{id}/logo.png",
  "{id}/a/{uuid}.png",
  "{uuid}.png",
  "{id}/{uuid}.svg",
  "{id}/{uuid}.PNG",
  "{id}/../{other}/{uuid}.png",
  "{id}/{uuid}.png/x",
  "/{id}/{uuid}.png",
  "{ID}/{uuid}.png",
])("the name %s is refused", (pattern) =>
  inWorld(sql, async (world) => {
    const name = pattern
      .replace("{id}", world.acme)
      .replace("{ID}", world.acme.toUpperCase())
      .replace("{other}", world.globex)
      .replace("{uuid}", randomUUID());
    expect(await outcome(add(world, "owner", "post-images", name))).toBe(forbiddenByGrant);
  })(),
);

test(
  "a visitor without a session and an unknown bucket get nothing",
  inWorld(sql, async (world) => {
    expect(await outcome(add(world, "anon", "post-images", fileIn(world.acme)))).toBe(forbiddenByGrant);
    await world.tx`insert into storage.buckets (id, name) values ('other', 'other')`;
    expect(await outcome(add(world, "owner", "other", fileIn(world.acme)))).toBe(forbiddenByGrant);
  }),
);

describe("an image that is shown", () => {
  const shows = async ({ tx, acme, post }: World, where: "post" | "template", path: string): Promise<void> => {
    const url = `/storage/v1/object/public/post-images/${path}`;
    const content = { blocks: [{ type: "image", data: { file: { url }, caption: "" } }] };
    if (where === "post") await post({ content_raw: content });
    else await tx`insert into public.templates (workspace_id, name, content_raw) values (${acme}, 'Release', ${tx.json(content)})`;
  };

  test.each(["post", "template"] as const)("by a %s keeps its address: nobody removes it, or puts another one in its place", (where) =>
    inWorld(sql, async (world) => {
      const [path, other] = [fileIn(world.acme), fileIn(world.acme)];
      for (const name of [path, other]) await add(world, "owner", "post-images", name);
      await shows(world, where, path);
      for (const person of ["editor", "admin", "owner"] as const) {
        const removed = await world.as(person, (me) => me`delete from storage.objects where bucket_id = 'post-images' returning name`);
        expect([person, removed.map(({ name }) => name as string)]).toEqual([person, person === "editor" ? [other] : []]);
      }
      await world.tx`set local session_replication_role = replica`; // as if its file had been lost
      await world.tx`delete from storage.objects where name = ${path}`;
      await world.tx`set local session_replication_role = origin`;
      expect(await outcome(add(world, "editor", "post-images", path))).toBe(forbiddenByGrant);
      expect(await outcome(add(world, "editor", "post-images", other))).toBe("allowed");
    })(),
  );
});
