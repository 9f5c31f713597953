import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { fullPost } from "../../../../tests/support/web/posts-support.ts";
import { stubApi } from "../../../../tests/support/web/stub-api.ts";
import type { PostSession } from "../session/session.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useDuplicate } from "./use-duplicate.ts";

test("a draft whose words could not be saved is not duplicated without them", async () => {
  const api = stubApi({});
  const said = vi.spyOn(toasts, "error").mockImplementation(() => undefined);
  const made = vi.fn<(id: string) => void>();
  const session = { isDirty: () => true, keep: async () => false } as PostSession;
  const { result } = renderHook(() => useDuplicate(session, fullPost({ status: "draft" }), made));
  await result.current();
  expect(said.mock.calls).toEqual([["The post was not duplicated", "Save what is in the editor first."]]);
  expect([api.requests.length, made.mock.calls.length]).toEqual([0, 0]);
});
