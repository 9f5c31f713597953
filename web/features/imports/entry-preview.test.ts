import { expect, test } from "vitest";
import { previewNote } from "./entry-preview.tsx";

const post = { external_id: "a", fingerprint: "0".repeat(64), title: "A", blocks: [] };
const published = { ...post, status: "published" as const, published_at: "2020-01-05T00:00:00.000Z" };

test.each([
  ["its day and author", { ...published, author: "Ada" }, false, "Jan 5, 2020 and Ada"],
  ["its day alone", published, false, "Jan 5, 2020"],
  ["when it will be published", { ...post, status: "scheduled" as const, publish_at: "2030-01-05T00:00:00.000Z" }, false, "Jan 5, 2030"],
  ["its author alone, where it comes as a draft", { ...published, author: "Ada" }, true, "Ada"],
])("the preview says %s", (_, imported, isDraft, words) => {
  expect(previewNote(imported, isDraft)).toBe(`Its text as readers will see it. The imported post will say ${words}.`);
});

test("of a draft without an author there is nothing to say", () => {
  expect(previewNote({ ...post, status: "draft" }, false)).toBeUndefined();
});
