import { expect, test } from "vitest";
import type { Thread } from "#contract/comments.ts";
import { commentList, type Listed } from "./comment-list.ts";

const thread = (id: string, block_id: string | null): Thread => ({
  ...{ id, block_id, quote: "", created_at: "2026-01-01T00:00:00Z", resolved_at: null, resolved_by_name: null, comments: [] },
});
const idsOf = (list: Listed[]) => list.map((one) => (one.kind === "thread" ? one.thread.id : `new ${one.draft.blockId}`));

test("commentList follows the text, with threads on the whole post first and threads on deleted blocks apart", () => {
  const threads = [thread("1", "b"), thread("2", null), thread("3", "gone"), thread("4", "a"), thread("5", "b")];
  const places = new Map([
    ["a", 10],
    ["b", 90],
  ]);
  const { whole, beside, earlier } = commentList(
    threads,
    [
      { blockId: "a", quote: "" },
      { blockId: null, quote: "" },
    ],
    places,
  );
  expect([idsOf(whole), idsOf(beside), idsOf(earlier)]).toEqual([["2", "new null"], ["4", "new a", "1", "5"], ["3"]]);
});

test("commentList treats no block as deleted before the editor has rendered", () => {
  const { beside, earlier } = commentList([thread("1", "b")], [], null);
  expect([idsOf(beside), earlier]).toEqual([["1"], []]);
});
