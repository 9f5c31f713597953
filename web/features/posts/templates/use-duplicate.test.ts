import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { fullPost } from "../../../../tests/support/web/posts-support.ts";
import { refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";
import type { PostSession } from "../../session/session.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useDuplicate } from "./use-duplicate.ts";

test("useDuplicate doesn't duplicate a draft that couldn't be saved", async () => {
  const api = stubApi({});
  const showError = vi.spyOn(toasts, "error").mockImplementation(() => undefined);
  const onCreated = vi.fn<(id: string) => void>();
  const session = { isDirty: () => true, autosave: async () => false } as PostSession;
  const { result } = renderHook(() => useDuplicate(session, fullPost({ status: "draft" }), onCreated));
  await result.current();
  expect(showError.mock.calls).toEqual([["Couldn't duplicate the post", "Save your changes first."]]);
  expect([api.requests.length, onCreated.mock.calls.length]).toEqual([0, 0]);
});

test("useDuplicate retries with the same key until the post changes or an answer comes", async () => {
  const lost = () => Promise.reject(new TypeError("cut off"));
  const created = () => ({ post: fullPost({ id: ids.person }) });
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
  expect(await keyOf(created)).toBe(second);
  const third = await keyOf(() => refusal("forbidden"));
  expect(new Set([first, second, third, await keyOf(created)]).size).toBe(4);
});
