import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { type Person, type World, test, testEach } from "./support/world.ts";

const sql = connect();
const add = ({ as }: World, person: Person | "anon", bucket: string, name: string) =>
  as(person, (me) => me`insert into storage.objects (bucket_id, name) values (${bucket}, ${name})`);
const fileIn = (folder: string) => `${folder}/${randomUUID()}.png`;

test("the buckets are public and accept only images within the product's limits", async () => {
  const buckets =
    await sql`select id, public, file_size_limit::int as limit, allowed_mime_types from storage.buckets where id in ('post-images', 'logos', 'avatars') order by id`;
  const types = ["image/png", "image/jpeg", "image/webp", "image/gif"];
  expect([...buckets]).toEqual([
    { id: "avatars", public: true, limit: 2_097_152, allowed_mime_types: types },
    { id: "logos", public: true, limit: 5_242_880, allowed_mime_types: types },
    { id: "post-images", public: true, limit: 5_242_880, allowed_mime_types: types },
  ]);
});

testEach([
  "{id}/logo.png",
  "{id}/a/{uuid}.png",
  "{uuid}.png",
  "{id}/{uuid}.svg",
  "{id}/{uuid}.PNG",
  "{id}/../{other}/{uuid}.png",
  "{id}/{uuid}.png/x",
  "/{id}/{uuid}.png",
  "{ID}/{uuid}.png",
])("refuses the name %s", async (world, pattern) => {
  const name = pattern
    .replace("{id}", world.acme)
    .replace("{ID}", world.acme.toUpperCase())
    .replace("{other}", world.globex)
    .replace("{uuid}", randomUUID());
  expect(await outcome(add(world, "owner", "post-images", name))).toBe(forbiddenByGrant);
});

describe("a used image", () => {
  const shows = async ({ tx, acme, post }: World, where: "post" | "template", path: string): Promise<void> => {
    const url = `/storage/v1/object/public/post-images/${path}`;
    const content = { blocks: [{ type: "image", data: { file: { url }, caption: "" } }] };
    if (where === "post") await post({ content_raw: content });
    else await tx`insert into public.templates (workspace_id, name, content_raw) values (${acme}, 'Release', ${tx.json(content)})`;
  };

  testEach(["post", "template"] as const)("by a %s keeps its path: no user can delete or replace it", async (world, where) => {
    const [path, other] = [fileIn(world.acme), fileIn(world.acme)];
    for (const name of [path, other]) await add(world, "owner", "post-images", name);
    await shows(world, where, path);
    for (const person of ["editor", "admin", "owner"] as const) {
      const removed = await world.as(person, (me) => me`delete from storage.objects where bucket_id = 'post-images' returning name`);
      expect([person, removed.map(({ name }) => name as string)]).toEqual([person, person === "editor" ? [other] : []]);
    }
    await world.tx`set local session_replication_role = replica`;
    await world.tx`delete from storage.objects where name = ${path}`;
    await world.tx`set local session_replication_role = origin`;
    expect(await outcome(add(world, "editor", "post-images", path))).toBe(forbiddenByGrant);
    expect(await outcome(add(world, "editor", "post-images", other))).toBe("allowed");
  });
});
