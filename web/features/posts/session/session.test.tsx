import { act, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Post } from "#contract/posts.ts";
import { draftsOf, putDraft, type LocalDraft } from "./draft-store.ts";
import { autosaveRestMs } from "./state.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { cutOff, session, words } from "../../../../tests/support/web/posts-session-support.tsx";
import { forgetDrafts, fullPost, paragraph } from "../../../../tests/support/web/posts-support.ts";
import { pending, refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";

beforeEach(forgetDrafts);
afterEach(() => vi.useRealTimers());

/** "One" is on its way to the server, and "One, two" on the screen. */
async function writingOnDuringASave() {
  const answer = pending<object>();
  stubApi({ "PUT /api/posts/*": () => answer.promise });
  const { result, write } = session();
  write("One");
  const save = result.current.write({ kind: "save" });
  await waitFor(() => expect(result.current.busy).toBe("save"));
  write("One, two");
  return { result, save, answer };
}

test("what is written while a save is under way stays unsaved", async () => {
  const { result, save, answer } = await writingOnDuringASave();
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
    await result.current.keepDraft();
    await result.current.write({ kind: "save" });
  });
  expect(await draftsOf(`ada:${ids.post}`)).toHaveLength(1);
  api.set({ "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
  await act(async () => void (await result.current.write({ kind: "save" })));
  await act(() => result.current.keepDraft());
  expect(await draftsOf(`ada:${ids.post}`)).toEqual([]);
  expect(result.current.dirty).toBe(false);
});

test("what was left during a save stays on the device, though the save succeeds afterwards", async () => {
  const { result, save, answer } = await writingOnDuringASave();
  await act(async () => {
    await result.current.letGo();
    answer.resolve({ post: fullPost({ version: 2 }) });
    await save;
    await result.current.keepDraft();
  });
  expect(await draftsOf(`ada:${ids.post}`)).toMatchObject([{ content: words("One, two") }]);
});

describe("restoring", () => {
  const left: LocalDraft = {
    ...{ sessionId: "earlier", key: `ada:${ids.post}`, workspaceId: ids.acme, title: "Faster exports", tags: [] },
    ...{ content: words("Left behind"), baseVersion: 1, savedAt: 1 },
  };

  test("without an editor on the screen changes nothing: the draft stays", async () => {
    stubApi({});
    await putDraft(left);
    const { result, body } = session();
    body.current = null;
    await act(() => result.current.restore(left));
    await act(() => result.current.keepDraft());
    expect(await draftsOf(left.key)).toEqual([left]);
    expect(result.current.dirty).toBe(false);
  });

  test("keeps the old copy when the device has no room for the new one", async () => {
    stubApi({});
    await putDraft(left);
    const { result } = session();
    const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("no room", "QuotaExceededError");
    });
    await act(() => result.current.restore(left));
    put.mockRestore();
    expect(await draftsOf(left.key)).toMatchObject([{ sessionId: "earlier" }]);
  });
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
  expect(api.to("PUT /api/posts/*")).toHaveLength(1);
  act(() => result.current.cancelConflict());
  write("Even more words");
  await rest();
  expect(api.to("PUT /api/posts/*")).toHaveLength(1);
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

const keys = (api: ReturnType<typeof stubApi>) => api.requests.map(({ headers }) => headers.get("idempotency-key"));

test("a save that got no answer is repeated as it was, by its key, before the next one", async () => {
  const api = stubApi({ "PUT /api/posts/*": cutOff });
  const { result, write } = session(fullPost({ status: "published" }));
  write("One");
  await act(async () => void (await result.current.write({ kind: "save" })));
  expect(result.current.trouble).toEqual({ reason: "unanswered" });
  write("One, two");
  let version = 1;
  api.set({ "PUT /api/posts/*": () => ({ post: fullPost({ status: "published", version: ++version }) }) });
  await act(async () => void (await result.current.write({ kind: "save" })));
  const [first, again, next] = api.requests.map(({ body }) => body as { version: number; content_raw: string });
  expect(again).toEqual(first);
  expect(next).toMatchObject({ version: 2, content_raw: expect.stringContaining("One, two") as string });
  expect(keys(api)[1]).toBe(keys(api)[0]);
  expect(keys(api)[2]).not.toBe(keys(api)[0]);
  expect(result.current).toMatchObject({ trouble: null, dirty: false });
});

test("a new post whose answer was lost is not made twice", async () => {
  const api = stubApi({ "POST /api/posts": cutOff });
  const { result, write } = session(null);
  act(() => result.current.setTitle("New"));
  write("Words");
  await act(async () => void (await result.current.write({ kind: "save" })));
  api.set({ "POST /api/posts": { post: fullPost({ title: "New" }) } });
  await act(async () => void (await result.current.write({ kind: "save" })));
  expect(api.requests).toHaveLength(2);
  expect(new Set(keys(api)).size).toBe(1);
  expect(result.current).toMatchObject({ post: { title: "New" }, dirty: false });
});

test("a publication that got no answer is not repeated behind the back of another wish", async () => {
  const api = stubApi({ "PUT /api/posts/*": cutOff });
  const { result, write } = session();
  write("One");
  await act(async () => void (await result.current.write({ kind: "publish" })));
  api.set({ "GET /api/posts/*": { post: fullPost() }, "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
  await act(async () => void (await result.current.write({ kind: "save" })));
  expect(api.to("PUT /api/posts/*").map(({ body }) => (body as { status?: string }).status)).toEqual(["published", undefined]);
});

const published = (fields: Partial<Post> = {}) => fullPost({ status: "published", content_raw: paragraph("One"), version: 2, ...fields });

test("a publication whose answer was lost is found, and is no conflict with oneself", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const api = stubApi({ "PUT /api/posts/*": cutOff, "GET /api/posts/*": { post: published() } });
  const { result, write } = session();
  write("One");
  await act(async () => void (await result.current.write({ kind: "publish" })));
  expect(result.current.trouble).toEqual({ reason: "unknown" });
  await rest();
  expect(result.current).toMatchObject({ trouble: null, dirty: false, post: { status: "published", version: 2 } });
  api.set({ "PUT /api/posts/*": { post: published({ version: 3 }) } });
  await act(async () => void (await result.current.write({ kind: "save" })));
  expect(api.to("PUT /api/posts/*").map(({ body }) => (body as { version: number }).version)).toEqual([1, 2]);
  expect(result.current.conflict).toBeNull();
});

test("what was written after such a publication waits for the person; readers see no draft of it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const api = stubApi({ "PUT /api/posts/*": cutOff, "GET /api/posts/*": { post: published() } });
  const { result, write } = session();
  write("One");
  await act(async () => void (await result.current.write({ kind: "publish" })));
  write("One, two");
  await rest();
  await rest(); // after a failure it takes longer
  expect(api.to("PUT /api/posts/*")).toHaveLength(1);
  expect(result.current).toMatchObject({ trouble: null, conflict: null, dirty: true, post: { status: "published" } });
});

test.each([
  ["did not arrive", fullPost()],
  ["met somebody's newer version", published({ content_raw: paragraph("Theirs") })],
])("a publication that %s is not said to be done", async (_, found) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const api = stubApi({ "PUT /api/posts/*": cutOff, "GET /api/posts/*": { post: found } });
  const { result, write } = session();
  write("One");
  await act(async () => void (await result.current.write({ kind: "publish" })));
  api.set({ "PUT /api/posts/*": () => refusal("version_conflict") });
  await rest();
  expect(result.current.post).toMatchObject({ status: "draft", version: 1 });
  expect(result.current.dirty).toBe(true);
});

test("what got no answer is tried again by itself, ever more rarely", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const api = stubApi({ "PUT /api/posts/*": () => refusal("internal") });
  const { result, write } = session();
  write("One");
  await rest();
  expect(api.requests).toHaveLength(1);
  await rest();
  expect(api.requests).toHaveLength(2);
  await rest();
  expect(api.requests).toHaveLength(2);
  await rest();
  expect(api.requests).toHaveLength(3);
  api.set({ "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
  await act(() => vi.advanceTimersByTimeAsync(20_010));
  expect(result.current).toMatchObject({ trouble: null, dirty: false });
});

test("an autosave that met the session's end goes out again after signing in", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const api = stubApi({ "PUT /api/posts/*": () => refusal("unauthenticated") });
  const { result, write } = session();
  write("One");
  await rest();
  expect(result.current.dirty).toBe(true);
  api.set({ "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
  await rest();
  expect(result.current).toMatchObject({ trouble: null, dirty: false });
});

test("a post that somebody deleted can be saved as a new one", async () => {
  const api = stubApi({ "PUT /api/posts/*": () => refusal("not_found"), "POST /api/posts": { post: fullPost({ id: ids.person }) } });
  const { result, write } = session();
  write("My words");
  await act(async () => void (await result.current.write({ kind: "save" })));
  expect(result.current.trouble).toEqual({ reason: "gone" });
  await act(() => result.current.saveAsNew());
  expect(api.to("POST /api/posts")[0]?.body).toMatchObject({ blocks: words("My words") });
  expect(result.current).toMatchObject({ trouble: null, dirty: false, post: { id: ids.person } });
});

test("without room on the device a draft goes to the server at once, also while the person writes on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("no room", "QuotaExceededError");
  });
  const api = stubApi({ "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
  const { result, write } = session();
  write("One");
  await act(() => result.current.keepDraft());
  expect(result.current.draftProblem).toBe("full");
  for (const text of ["One, two", "One, two, three", "One, two, three, four"]) {
    write(text);
    await act(() => vi.advanceTimersByTimeAsync(400));
  }
  expect(api.requests.length).toBeGreaterThan(0);
  put.mockRestore();
});

test("the last words before the editor is taken away are kept", async () => {
  stubApi({});
  const { write, unmount } = session();
  write("Last words");
  unmount();
  expect(await draftsOf(`ada:${ids.post}`)).toMatchObject([{ content: words("Last words") }]);
});
