import { expect, test } from "vitest";
import { seedPosts } from "./posts.ts";

const existing =
  /\b(feeds?|rss|widget|editor|comments?|digest|email|subscri\w*|webhooks?|api|preview|approv\w*|templates?|analytics|import|export|domain|search)\b/i;

test("the demo's scheduled post and draft don't announce existing features", () => {
  const ahead = seedPosts.filter(({ state }) => state === "draft" || "scheduledInHours" in state);
  expect(ahead).toHaveLength(2);
  const image = { url: "", width: 1, height: 1 } as never;
  for (const { title, tags, blocks } of ahead) {
    expect(`${title} ${JSON.stringify(blocks({ "widget.webp": image }))}`).not.toMatch(existing);
    expect(tags).not.toContain("feature");
  }
});
