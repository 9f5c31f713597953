import { describe, expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { createPostInput, updatePostInput } from "#contract/posts.ts";
import {
  createBody,
  failureNotice,
  isNothing,
  isSaved,
  successNotice,
  updateBody,
  writingProblem,
  type Intent,
  type Writing,
} from "./write.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { fullPost } from "../../../../tests/support/web/posts-support.ts";

const content = cleanBlocks([{ type: "paragraph", data: { text: "Text" } }]);
const writing = (fields: Partial<Writing> = {}): Writing => ({
  title: "Title",
  tags: ["fix"],
  summary: "",
  cover: null,
  content,
  changes: 1,
  ...fields,
});
const now = new Date("2026-11-20T12:00:00Z");
const at = "2026-12-01T09:00:00.000Z";
const intents: Intent[] = [
  { kind: "save" },
  { kind: "autosave" },
  { kind: "publish" },
  { kind: "schedule", publishAt: at },
  { kind: "unschedule" },
  { kind: "restore" },
];

describe("what is sent", () => {
  test.each(intents)("$kind makes bodies that the contract takes", (intent) => {
    expect(createPostInput.safeParse(createBody(writing(), intent, ids.acme)).error).toBeUndefined();
    expect(updatePostInput.safeParse(updateBody(writing(), intent, 3, fullPost())).error).toBeUndefined();
  });

  test("the first save names status and time, whoever asked for it", () => {
    const state = (intent: Intent) => {
      const { status, publish_at } = createBody(writing(), intent, ids.acme);
      return [status, publish_at];
    };
    expect(state({ kind: "save" })).toEqual(["draft", null]);
    expect(state({ kind: "autosave" })).toEqual(["draft", null]);
    expect(state({ kind: "schedule", publishAt: at })).toEqual(["scheduled", at]);
    expect(state({ kind: "publish" })).toEqual(["published", null]);
  });

  test("a save names status and time as they are, which its version vouches for; one that overwrites leaves both alone", () => {
    const written = { title: "Title", tags: ["fix"], content_raw: JSON.stringify(writing().content) };
    const base = fullPost({ status: "scheduled", publish_at: "2026-12-01T09:00:00.000Z" });
    const state = { status: "scheduled", publish_at: "2026-12-01T09:00:00.000Z" };
    expect(updateBody(writing(), { kind: "save" }, 3, base)).toEqual({ ...written, ...state, version: 3 });
    expect(updateBody(writing(), { kind: "save" }, undefined, base)).toEqual(written);
  });

  test("a draft that saves itself says so and decides nothing", () => {
    const body = updateBody(writing(), { kind: "autosave" }, 3, fullPost());
    expect(body).toMatchObject({ autosave: true, version: 3 });
    expect([body.status, body.publish_at]).toEqual([undefined, undefined]);
    expect(createBody(writing(), { kind: "autosave" }, ids.acme)).toMatchObject({ autosave: true });
    expect(createBody(writing(), { kind: "save" }, ids.acme)).not.toHaveProperty("autosave");
  });

  test("tags that nobody changed here are left out: a colleague's stay", () => {
    const body = updateBody(writing({ tags: ["feature"] }), { kind: "save" }, undefined, fullPost({ tags: ["feature"] }));
    expect(JSON.parse(JSON.stringify(body))).not.toHaveProperty("tags");
    expect(updateBody(writing({ tags: [] }), { kind: "save" }, 3, fullPost({ tags: ["feature"] })).tags).toEqual([]);
  });

  test("so are a summary and a cover; blanks and the order of a cover's fields are no change, none is sent as null", () => {
    const cover = { url: "/storage/v1/object/public/post-images/a/b.png", alt: "A menu", width: 4, height: 2 };
    const post = fullPost({ summary: "In short.", cover_image: cover });
    const same = writing({ summary: " In  short. ", cover: { width: 4, height: 2, alt: "A menu ", url: cover.url } });
    const kept = JSON.parse(JSON.stringify(updateBody(same, { kind: "save" }, 3, post))) as object;
    expect(kept).not.toHaveProperty("summary");
    expect(kept).not.toHaveProperty("cover_image");
    expect(updateBody(writing(), { kind: "save" }, 3, post)).toMatchObject({ summary: null, cover_image: null });
    expect(updateBody(writing({ summary: "Other.", cover: "none" }), { kind: "save" }, 3, post)).toMatchObject({
      summary: "Other.",
      cover_image: "none",
    });
  });

  test("without a version it overwrites", () => {
    expect(JSON.parse(JSON.stringify(updateBody(writing(), { kind: "save" }, undefined, fullPost())))).not.toHaveProperty("version");
  });

  test.each([
    [{ kind: "publish" }, { status: "published", workspace_id: ids.acme }],
    [
      { kind: "schedule", publishAt: at },
      { status: "scheduled", publish_at: at },
    ],
    [{ kind: "unschedule" }, { status: "draft", publish_at: null }],
    [{ kind: "restore" }, { status: "draft" }],
  ] as [Intent, object][])("%o adds %o", (intent, fields) => {
    expect(updateBody(writing(), intent, 1, fullPost())).toMatchObject(fields);
  });
});

describe("what is worth keeping", () => {
  const cover = { url: "/storage/v1/object/public/post-images/a/b.png", alt: "A menu", width: 4, height: 2 };
  const empty = { title: " ", tags: [], content: cleanBlocks([]) };

  test.each<[string, Partial<Writing>, boolean]>([
    ["nothing", {}, true],
    ["blanks for a summary", { summary: "  " }, true],
    ["a summary", { summary: "In short." }, false],
    ["a cover", { cover }, false],
    ["that it has no cover", { cover: "none" }, false],
    ["a tag", { tags: ["fix"] }, false],
  ])("of a new post with %s", (_, fields, none) => expect(isNothing(writing({ ...empty, ...fields }))).toBe(none));

  const post = fullPost({ title: "Title", tags: ["fix"], content_raw: JSON.stringify(content), summary: "In short.", cover_image: cover });
  test.each<[string, Partial<Writing>, boolean]>([
    ["all the same", { summary: " In  short.", cover }, true],
    ["another summary", { summary: "At length.", cover }, false],
    ["no summary", { cover }, false],
    ["another cover", { summary: "In short.", cover: "none" }, false],
    ["another tag", { summary: "In short.", cover, tags: [] }, false],
  ])("of an earlier visit with %s", (_, fields, saved) => expect(isSaved(writing(fields), post)).toBe(saved));

  test("of an earlier version of the app, which knew no summaries and covers", () => {
    const { title, tags } = writing();
    expect(isSaved({ title, tags, content }, post)).toBe(true);
  });
});

describe("what is refused before it is sent", () => {
  const blank = { content: cleanBlocks([{ type: "paragraph", data: { text: "&nbsp; " } }]) };

  test.each<[string, Partial<Writing>, Intent, ReturnType<typeof writingProblem>]>([
    ["no title", { title: " " }, { kind: "save" }, { title: "Title is required", description: "Please add a title to your post" }],
    ["no content", blank, { kind: "publish" }, { title: "Content is required", description: "Please add some content to your post" }],
    [
      "unscheduling without content",
      blank,
      { kind: "unschedule" },
      { title: "Unable to cancel schedule", description: "Title and content are required to cancel scheduling" },
    ],
    ["a title of 119 characters", { title: "x".repeat(119) }, { kind: "save" }, null],
  ])("%s", (_, fields, intent, problem) => {
    expect(writingProblem(writing(fields), intent, fullPost(), now)).toEqual(problem);
  });

  test("a title that is too long", () => {
    expect(writingProblem(writing({ title: "x".repeat(120) }), { kind: "save" }, null, now)?.title).toBe("The title is too long");
  });

  test("a post beyond what one can hold, with the number", () => {
    const content = cleanBlocks([{ type: "paragraph", data: { text: "x".repeat(50_001) } }]);
    expect(writingProblem(writing({ content }), { kind: "save" }, null, now)).toEqual({
      title: "The post is too long",
      description: "A block can have at most 50,000 characters",
    });
  });

  test("unscheduling a post that was never saved", () => {
    expect(writingProblem(writing(), { kind: "unschedule" }, null, now)).toEqual({ title: "Unable to cancel schedule" });
  });

  test("scheduling a published post", () => {
    const published = fullPost({ status: "published" });
    expect(writingProblem(writing(), { kind: "schedule", publishAt: at }, published, now)).toEqual({
      title: "Cannot schedule a published post",
      description: "Published posts cannot be scheduled or moved back to draft status",
    });
    expect(writingProblem(writing(), { kind: "save" }, published, now)).toBeNull();
  });
});

describe("what is said", () => {
  test("an autosave that succeeds says nothing", () => expect(successNotice({ kind: "autosave" }, false)).toBeNull());
  test("the first save says 'Draft saved', later ones 'Saved'", () => {
    expect(successNotice({ kind: "save" }, true)?.title).toBe("Draft saved");
    expect(successNotice({ kind: "save" }, false)).toEqual({ title: "Saved" });
  });
  test("failures ask to try again or to contact support", () => {
    expect(failureNotice({ kind: "save" }, false)).toEqual({
      title: "Failed to update post",
      description: "Please try again or contact support",
    });
  });
});
