import { createClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { describe, expect, inject, onTestFinished, test } from "vitest";

const { url, dbUrl, publishableKey, secretKey } = inject("stack");
const storage = createClient(url, secretKey, { auth: { persistSession: false } }).storage;
const png = { contentType: "image/png" };
const bytes = new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
const newName = () => `${crypto.randomUUID()}/${crypto.randomUUID()}.png`;
const publicUrl = (name: string) => `${url}/storage/v1/object/public/post-images/${name}`;

test("the buckets of config.toml exist with their limits", async () => {
  const { data } = await storage.listBuckets();
  const buckets = Object.fromEntries((data ?? []).map((bucket) => [bucket.name, [bucket.public, bucket.file_size_limit]]));
  expect(buckets).toEqual({
    avatars: [true, 2_097_152],
    logos: [true, 5_242_880],
    "post-images": [true, 5_242_880],
    "link-pictures": [true, 1_048_576],
  });
});

test.each([
  ["without a limit", "list", {}, 100],
  ["with one", "list", { limit: 7 }, 7],
  ["with a very large one", "list", { limit: 1_000_000 }, 1_000],
  ["at an address that is written otherwise", "%6cist", {}, 100],
])("a list %s has as many files as on hosted, and a thousand at most", async (_, list, asked, expected) => {
  const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const folder = crypto.randomUUID();
  await sql`insert into storage.objects (bucket_id, name) select 'post-images', ${folder} || '/' || n || '.png' from generate_series(1, 1100) as n`;
  const headers = { apikey: secretKey, authorization: `Bearer ${secretKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ prefix: folder, ...asked });
  const answer = await fetch(`${url}/storage/v1/object/${list}/post-images`, { method: "POST", headers, body });
  expect([answer.status, ((await answer.json()) as unknown[]).length]).toEqual([200, expected]);
});

describe("an upload", () => {
  test.each([
    ["bytes", bytes],
    ["a Blob", new Blob([bytes], { type: "image/png" })],
    ["a File", new File([bytes], "a.png", { type: "image/png" })],
  ])("of %s is returned unchanged", async (_, body) => {
    const name = newName();
    expect((await storage.from("post-images").upload(name, body, png)).error).toBeNull();
    const answer = await fetch(publicUrl(name));
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  });

  test("of a type that the bucket rejects is refused", async () => {
    const { error } = await storage.from("post-images").upload(newName(), "<svg/>", { contentType: "image/svg+xml" });
    expect(error).not.toBeNull();
  });

  test("above the bucket's limit is refused", async () => {
    const { error } = await storage.from("avatars").upload(newName(), new Uint8Array(2_097_153), png);
    expect(error).not.toBeNull();
  });

  test("by anon is refused", async () => {
    const anon = createClient(url, publishableKey, { auth: { persistSession: false } });
    expect((await anon.storage.from("post-images").upload(newName(), bytes, png)).error).not.toBeNull();
  });

  test("with a name outside the bucket is refused", async () => {
    for (const name of ["../keys.json", "a/../../keys.json", "..%2f..%2fkeys.json"]) {
      const answer = await fetch(`${url}/storage/v1/object/post-images/${name}`, {
        method: "POST",
        body: bytes,
        headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, "content-type": "image/png" },
      });
      expect([name, answer.ok]).toEqual([name, false]);
    }
  });
});

describe("a public file", () => {
  test("is gone after its deletion", async () => {
    const name = newName();
    await storage.from("post-images").upload(name, bytes, png);
    await storage.from("post-images").remove([name]);
    expect((await fetch(publicUrl(name))).ok).toBe(false);
  });
});
