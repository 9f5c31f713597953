import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";

import { draftsOf } from "../../web/features/posts/state/draft-store.ts";
import { autosaveRestMs } from "../../web/features/posts/state/use-autosave.ts";
import { usePostSession } from "../../web/features/posts/state/use-post-session.ts";
import { ids } from "./fixtures.ts";
import { forgetDrafts, fullPost } from "./posts-support.ts";
import { pending, refusal, stubApi } from "./stub-api.ts";

beforeEach(forgetDrafts);
afterEach(() => vi.useRealTimers());

const words = (text: string) => cleanBlocks([{ type: "paragraph", data: { text } }]);

function session(opened = fullPost()) {
  const editor = { text: "Twice as fast." };
  const body = { current: { read: async () => words(editor.text), replace: async () => undefined } };
  const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>;
  const hook = renderHook(() => usePostSession({ workspaceId: ids.acme, userId: "ada", opened, body, onCreated: () => undefined }), {
    wrapper,
  });
  const write = (text: string) =>
    act(() => {
      editor.text = text;
      hook.result.current.bodyChanged();
    });
  return { ...hook, write };
}

test("what is written while a save is under way stays unsaved", async () => {
  const answer = pending<object>();
  stubApi({ "PUT /api/posts/*": () => answer.promise });
  const { result, write } = session();
  write("One");
  const save = result.current.write({ kind: "save" });
  await waitFor(() => expect(result.current.busy).toBe("save"));
  write("One, two");
  await act(async () => {
    await result.current.read(); // somebody else looks at the screen meanwhile
    answer.resolve({ post: fullPost({ version: 2 }) });
    await save;
  });
  expect(result.current.dirty).toBe(true);
  expect(result.current.post?.version).toBe(2);
});

test("a save that succeeded takes the local draft away; one that failed leaves it", async () => {
  const api = stubApi({ "PUT /api/posts/*": () => refusal("internal") });
  const { result, write } = session();
  write("Words");
  await act(async () => {
    await result.current.drafts.flush();
    await result.current.write({ kind: "save" });
  });
  expect(await draftsOf(`ada:${ids.post}`)).toHaveLength(1);
  api.set({ "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
  await act(async () => void (await result.current.write({ kind: "save" })));
  await act(() => result.current.drafts.flush());
  expect(await draftsOf(`ada:${ids.post}`)).toEqual([]);
  expect(result.current.dirty).toBe(false);
});

test("two saves at once go one after the other, the second with the version of the first", async () => {
  let version = 1;
  const api = stubApi({ "PUT /api/posts/*": () => ({ post: fullPost({ version: ++version }) }) });
  const { result, write } = session();
  write("Words");
  await act(async () => {
    await Promise.all([result.current.write({ kind: "save" }), result.current.write({ kind: "publish" })]);
  });
  expect(api.requests.map((request) => (request.body as { version: number }).version)).toEqual([1, 2]);
});

test("closing the tab warns only while something is unsaved", () => {
  stubApi({});
  const { write } = session();
  const close = () => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(close()).toBe(false);
  write("Words");
  expect(close()).toBe(true);
});

async function rest() {
  await act(() => vi.advanceTimersByTimeAsync(autosaveRestMs + 10));
}

test("a draft saves itself after a rest; a published post waits for the person", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const api = stubApi({ "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
  const draft = session();
  draft.write("One");
  await act(() => vi.advanceTimersByTimeAsync(autosaveRestMs - 100));
  draft.write("One, two");
  await act(() => vi.advanceTimersByTimeAsync(autosaveRestMs - 100));
  expect(api.requests).toHaveLength(0);
  await rest();
  expect(api.requests).toHaveLength(1);
  const published = session(fullPost({ status: "published" }));
  published.write("Words");
  await rest();
  expect(api.requests).toHaveLength(1);
});

test("after a cancelled conflict nothing goes out by itself until the person saves", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const api = stubApi({ "PUT /api/posts/*": () => refusal("version_conflict") });
  const { result, write } = session();
  write("Words");
  await rest();
  expect(result.current.conflict).not.toBeNull();
  write("More words");
  await rest();
  expect(api.requests).toHaveLength(1);
  act(() => result.current.cancelConflict());
  write("Even more words");
  await rest();
  expect(api.requests).toHaveLength(1);
});

test("what could not be sent goes out once when the connection is back", async () => {
  const api = stubApi({ "PUT /api/posts/*": () => Promise.reject(new TypeError("Failed to fetch")) });
  const { result, write } = session();
  write("Words");
  await act(async () => void (await result.current.write({ kind: "autosave" })));
  api.set({ "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
  act(() => void window.dispatchEvent(new Event("online")));
  await waitFor(() => expect(result.current.dirty).toBe(false));
  expect(api.requests).toHaveLength(2);
  act(() => void window.dispatchEvent(new Event("online")));
  expect(api.requests).toHaveLength(2);
});
