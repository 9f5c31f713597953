// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { replyKey, storeCommentDraft, newThreadKey, readCommentDrafts } from "./unsaved-comments.ts";

beforeEach(() => localStorage.clear());

test("comment drafts are stored by user and post, and removed when empty", () => {
  storeCommentDraft("ana", "p", newThreadKey("b"), { text: "Is this so?", quote: "It is dark." });
  storeCommentDraft("ana", "p", replyKey("t"), { text: "It is." });
  storeCommentDraft("bo", "p", replyKey("t"), { text: "It is not." });
  expect(readCommentDrafts("ana", "p")).toEqual({ "new:b": { text: "Is this so?", quote: "It is dark." }, "answer:t": { text: "It is." } });
  expect(readCommentDrafts("ana", "q")).toEqual({});
  storeCommentDraft("ana", "p", newThreadKey("b"), { text: " " });
  storeCommentDraft("ana", "p", replyKey("t"), { text: "" });
  expect(readCommentDrafts("ana", "p")).toEqual({});
  expect(localStorage).toHaveLength(1);
});

test("readCommentDrafts ignores malformed storage", () => {
  for (const malformed of ["", "null", "{", "[1]", '{"answer:t":5}', '{"answer:t":{"text":5}}']) {
    localStorage.setItem("tc:comments:ana:p", malformed);
    expect(readCommentDrafts("ana", "p")).toEqual({});
  }
});
