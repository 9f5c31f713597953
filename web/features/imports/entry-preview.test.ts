import { expect, test } from "vitest";
import { previewFacts } from "./entry-preview.tsx";

const post = { external_id: "a", fingerprint: "0".repeat(64), title: "A", blocks: [] };
const at = "2020-01-05T00:00:00.000Z";
const published = { ...post, status: "published" as const, published_at: at };

test.each([
  ["its day and author", { ...published, author: "Ada" }, false, { published_at: at, author: "Ada" }],
  ["its day, by nobody", published, false, { published_at: at, author: null }],
  ["when it will be published", { ...post, status: "scheduled" as const, publish_at: at }, false, { published_at: at, author: null }],
  ["its author alone, where it comes as a draft", { ...published, author: "Ada" }, true, { author: "Ada" }],
])("the preview says %s", (_, imported, isDraft, facts) => {
  expect(previewFacts(imported, isDraft)).toEqual(facts);
});
