import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { fullPost } from "../../../../tests/support/web/posts-support.ts";
import { refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";
import type { PostSession } from "../session/session.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useDuplicate } from "./use-duplicate.ts";

test("a draft whose words could not be saved is not duplicated without them", async () => {
  const api = stubApi({});
  const said = vi.spyOn(toasts, "error").mockImplementation(() => undefined);
  const made = vi.fn<(id: string) => void>();
  const session = { isDirty: () => true, autosave: async () => false } as PostSession;
  const { result } = renderHook(() => useDuplicate(session, fullPost({ status: "draft" }), made));
  await result.current();
  expect(said.mock.calls).toEqual([["The post was not duplicated", "Save what is in the editor first."]]);
  expect([api.requests.length, made.mock.calls.length]).toEqual([0, 0]);
});

test("asked again without an answer it is the same copy, and another one of what was written since, refused or made", async () => {
  const lost = () => Promise.reject(new TypeError("cut off"));
  const made = () => ({ post: fullPost({ id: ids.person }) });
  const api = stubApi({});
  vi.spyOn(toasts, "error").mockImplementation(() => undefined);
  const post = fullPost({ status: "draft" });
  let version = 1;
  const session = { isDirty: () => false, getSnapshot: () => ({ post: { ...post, version } }) } as PostSession;
  const { result } = renderHook(() => useDuplicate(session, post, () => undefined));
  const keyOf = async (answer: () => unknown) => {
    api.set({ "POST /api/posts/*/duplicate": answer });
    await result.current();
    return api.requests.at(-1)!.headers.get("idempotency-key");
  };
  const first = await keyOf(lost);
  expect(await keyOf(() => refusal("unavailable"))).toBe(first);
  version = 2;
  const second = await keyOf(lost);
  expect(await keyOf(made)).toBe(second);
  const third = await keyOf(() => refusal("forbidden"));
  expect(new Set([first, second, third, await keyOf(made)]).size).toBe(4);
});
