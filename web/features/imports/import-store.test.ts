import "fake-indexeddb/auto";
import { expect, test } from "vitest";
import type { PreparedPost } from "#importers/entry.ts";
import { storeImport, storeImageResult, readStoredImport } from "./import-store.ts";

const days = 86_400_000;
const post: PreparedPost = {
  post: { external_id: "a", fingerprint: "0".repeat(64), title: "A", blocks: [], status: "published" },
  ...{ losses: [], images: ["https://img.example/a.png"], problem: null },
};

test.each([
  [20, ["https://img.example/a.png"]],
  [22, []],
])("after %s days the store keeps the images %j, and all posts and files", async (age, known) => {
  const id = `import of ${age} days`;
  const at = Date.now() - age * days;
  const files = new Map([["shot.png", new Uint8Array([1, 2])]]);
  await storeImport({ id, key: "ada:acme", source: "changelog", name: "CHANGELOG.md", total: 1, at }, [post], files);
  await storeImageResult(id, "https://img.example/a.png", { url: "/storage/a.png", width: 4, height: 3, problem: null });
  const { posts, kept, picture } = await readStoredImport(id, at);
  expect([...kept.keys()]).toEqual(known);
  expect(posts).toEqual([post]);
  expect([...(await picture("shot.png"))!]).toEqual([1, 2]);
});
