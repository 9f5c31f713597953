import { noDetails } from "#contract/rules/post-details.ts";
import { describe, expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { createPostInput, updatePostInput } from "#contract/posts.ts";
import {
  createBody,
  failureNotice,
  isEmptyWriting,
  isSaved,
  successNotice,
  updateBody,
  writingProblem,
  type Intent,
  type Writing,
} from "./write.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { fullPost } from "../../../tests/support/web/posts-support.ts";

const content = cleanBlocks([{ type: "paragraph", data: { text: "Text" } }]);
const writing = (fields: Partial<Writing> = {}): Writing => ({
  title: "Title",
  tags: ["fix"],
  summary: "",
  cover_image: null,
  details: noDetails,
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

describe("request bodies", () => {
  test.each(intents)("for $kind are valid", (intent) => {
    expect(createPostInput.safeParse(createBody(writing(), intent, ids.acme)).error).toBeUndefined();
    expect(updatePostInput.safeParse(updateBody(writing(), intent, 3, fullPost())).error).toBeUndefined();
  });

  test("of a first save have status and time", () => {
    const state = (intent: Intent) => {
      const { status, publish_at } = createBody(writing(), intent, ids.acme);
      return [status, publish_at];
    };
    expect(state({ kind: "save" })).toEqual(["draft", null]);
    expect(state({ kind: "autosave" })).toEqual(["draft", null]);
    expect(state({ kind: "schedule", publishAt: at })).toEqual(["scheduled", at]);
    expect(state({ kind: "publish" })).toEqual(["published", null]);
  });

  test("of a save have the current status and time; those of an overwrite have neither", () => {
    const written = { title: "Title", tags: ["fix"], content_raw: JSON.stringify(writing().content) };
    const base = fullPost({ status: "scheduled", publish_at: "2026-12-01T09:00:00.000Z" });
    const state = { status: "scheduled", publish_at: "2026-12-01T09:00:00.000Z" };
    expect(updateBody(writing(), { kind: "save" }, 3, base)).toEqual({ ...written, ...state, version: 3 });
    expect(updateBody(writing(), { kind: "save" }, undefined, base)).toEqual(written);
  });

  test("of an autosave are marked and have no status", () => {
    const body = updateBody(writing(), { kind: "autosave" }, 3, fullPost());
    expect(body).toMatchObject({ autosave: true, version: 3 });
    expect([body.status, body.publish_at]).toEqual([undefined, undefined]);
    expect(createBody(writing(), { kind: "autosave" }, ids.acme)).toMatchObject({ autosave: true });
    expect(createBody(writing(), { kind: "save" }, ids.acme)).not.toHaveProperty("autosave");
  });

  test("leave out unchanged tags", () => {
    const body = updateBody(writing({ tags: ["feature"] }), { kind: "save" }, undefined, fullPost({ tags: ["feature"] }));
    expect(JSON.parse(JSON.stringify(body))).not.toHaveProperty("tags");
    expect(updateBody(writing({ tags: [] }), { kind: "save" }, 3, fullPost({ tags: ["feature"] })).tags).toEqual([]);
  });

  test("leave out an unchanged summary and cover, ignoring spaces and field order", () => {
    const cover = { url: "/storage/v1/object/public/post-images/a/b.png", alt: "A menu", width: 4, height: 2 };
    const post = fullPost({ summary: "In short.", cover_image: cover });
    const same = writing({ summary: " In  short. ", cover_image: { width: 4, height: 2, alt: "A menu ", url: cover.url } });
    const body = JSON.parse(JSON.stringify(updateBody(same, { kind: "save" }, 3, post))) as object;
    expect(body).not.toHaveProperty("summary");
    expect(body).not.toHaveProperty("cover_image");
    expect(updateBody(writing(), { kind: "save" }, 3, post)).toMatchObject({ summary: null, cover_image: null });
    expect(updateBody(writing({ summary: "Other.", cover_image: "none" }), { kind: "save" }, 3, post)).toMatchObject({
      summary: "Other.",
      cover_image: "none",
    });
  });

  test("of an overwrite have no version", () => {
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
  ] as [Intent, object][])("of %o have %o", (intent, fields) => {
    expect(updateBody(writing(), intent, 1, fullPost())).toMatchObject(fields);
  });
});

describe("isEmptyWriting and isSaved", () => {
  const cover = { url: "/storage/v1/object/public/post-images/a/b.png", alt: "A menu", width: 4, height: 2 };
  const empty = { title: " ", tags: [], content: cleanBlocks([]) };

  test.each<[string, Partial<Writing>, boolean]>([
    ["nothing", {}, true],
    ["blanks for a summary", { summary: "  " }, true],
    ["a summary", { summary: "In short." }, false],
    ["a cover", { cover_image: cover }, false],
    ["no cover chosen", { cover_image: "none" }, false],
    ["a tag", { tags: ["fix"] }, false],
  ])("isEmptyWriting of a new post with %s", (_, fields, none) => expect(isEmptyWriting(writing({ ...empty, ...fields }))).toBe(none));

  const post = fullPost({ title: "Title", tags: ["fix"], content_raw: JSON.stringify(content), summary: "In short.", cover_image: cover });
  test.each<[string, Partial<Writing>, boolean]>([
    ["the same content", { summary: " In  short.", cover_image: cover }, true],
    ["another summary", { summary: "At length.", cover_image: cover }, false],
    ["no summary", { cover_image: cover }, false],
    ["another cover", { summary: "In short.", cover_image: "none" }, false],
    ["another tag", { summary: "In short.", cover_image: cover, tags: [] }, false],
  ])("isSaved of a draft with %s", (_, fields, saved) => expect(isSaved(writing(fields), post)).toBe(saved));
});

describe("writingProblem", () => {
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
  ])("checks %s", (_, fields, intent, problem) => {
    expect(writingProblem(writing(fields), intent, fullPost(), now)).toEqual(problem);
  });

  test("rejects a title that is too long", () => {
    expect(writingProblem(writing({ title: "x".repeat(120) }), { kind: "save" }, null, now)?.title).toBe("The title is too long");
  });

  test("rejects a block that is too long, with the limit", () => {
    const content = cleanBlocks([{ type: "paragraph", data: { text: "x".repeat(50_001) } }]);
    expect(writingProblem(writing({ content }), { kind: "save" }, null, now)).toEqual({
      title: "The post is too long",
      description: "A block can have at most 50,000 characters",
    });
  });

  test("rejects unscheduling a post never saved", () => {
    expect(writingProblem(writing(), { kind: "unschedule" }, null, now)).toEqual({ title: "Unable to cancel schedule" });
  });

  test("rejects scheduling a published post", () => {
    const published = fullPost({ status: "published" });
    expect(writingProblem(writing(), { kind: "schedule", publishAt: at }, published, now)).toEqual({
      title: "Cannot schedule a published post",
      description: "Published posts cannot be scheduled or moved back to draft status",
    });
    expect(writingProblem(writing(), { kind: "save" }, published, now)).toBeNull();
  });
});

describe("notices", () => {
  test("successNotice of an autosave is null", () => expect(successNotice({ kind: "autosave" }, false)).toBeNull());
  test("successNotice of the first save is 'Draft saved', later 'Saved'", () => {
    expect(successNotice({ kind: "save" }, true)?.title).toBe("Draft saved");
    expect(successNotice({ kind: "save" }, false)).toEqual({ title: "Saved" });
  });
  test("failureNotice suggests trying again or contacting support", () => {
    expect(failureNotice({ kind: "save" }, false)).toEqual({
      title: "Failed to update post",
      description: "Please try again or contact support",
    });
  });
});
