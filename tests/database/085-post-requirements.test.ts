import { describe, expect } from "vitest";
import { outcome, refused } from "./support/refusal.ts";
import { inDays, words, test, testEach } from "./support/world.ts";

describe("a post's requirements", () => {
  testEach([[""], ["   "], [null], ["\u00a0\t\n"]])("a title: %j is refused with the specification's sentence", async ({ post }, title) =>
    expect(await refused(post({ title: title as string }))).toMatchObject({
      code: "validation_failed",
      detail: { title: "Title is required" },
    }),
  );

  testEach([
    [119, "allowed"],
    [120, "validation_failed"],
  ])("a title of %i characters is %s", async ({ post }, length, expected) =>
    expect(await outcome(post({ title: "é".repeat(length) }))).toBe(expected),
  );

  test("titles are trimmed to one line", async ({ world: { post } }) =>
    expect(await post({ title: "  One \n line\u00a0 " })).toMatchObject({ title: "One line" }));

  testEach([
    ["draft", "allowed"],
    ["scheduled", "validation_failed"],
    ["published", "validation_failed"],
  ] as const)("a post without content is %s: %s", async ({ post }, status, expected) => {
    expect(await outcome(post({ status, publish_at: status === "scheduled" ? inDays(1) : null, content_raw: words(" &nbsp;<br> ") }))).toBe(
      expected,
    );
  });

  test("a published post can't be emptied", async ({ world }) => {
    const { id } = await world.post({ status: "published" });
    expect(
      await refused(world.as("editor", (me) => me`update public.posts set content_raw = '{"blocks": []}' where id = ${id}`)),
    ).toMatchObject({
      code: "validation_failed",
      detail: { content_raw: "Content is required" },
    });
  });

  testEach([{ content_raw: {} }, { content_raw: "text" }, { content_raw: { blocks: {} } }, { content_raw: null }])(
    "content must be a list of blocks: %j is refused",
    async ({ post }, columns) => expect(await outcome(post(columns))).toBe("validation_failed"),
  );

  test("tags are trimmed and deduplicated, in order", async ({ world: { post } }) => {
    expect(await post({ tags: [" fix ", "feature", "fix", "", "b  c"] })).toMatchObject({ tags: ["fix", "feature", "b c"] });
  });

  testEach([[Array.from({ length: 21 }, (_, index) => `t${index}`)], [["x".repeat(41)]]])(
    "too many or too long tags are refused",
    async ({ post }, tags) =>
      expect(await refused(post({ tags }))).toMatchObject({ code: "validation_failed", detail: { tags: expect.any(String) } }),
  );
});
