import { expect, test } from "vitest";
import type { V1Post } from "#contract/v1/posts.ts";
import { markdownFile } from "./presenter.ts";

const details = { pinned_until: null, expires_at: null, button: null, product_version: null, component: null };
const post = {
  title: "Faster: search",
  tags: ["fix"],
  version: 2,
  markdown: "Words.",
  requests: [],
  ...details,
} as Partial<V1Post> as V1Post;

test("a post's Markdown file names its linked requests", () => {
  const request = "https://linear.app/acme/issue/ENG-12";
  expect(markdownFile({ ...post, requests: [request] })).toContain(`\nrequests: ["${request}"]\n---\n\nWords.\n`);
  expect(markdownFile(post)).not.toContain("requests");
});
