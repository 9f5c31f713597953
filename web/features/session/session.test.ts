import { act, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { emptyFields } from "#contract/rules/post-content.ts";
import { draftsOf, putDraft, type LocalDraft } from "./draft-store.ts";
import { draftDelayMs } from "./machine.ts";
import { PostSession, type Calls, type Clock } from "./session.ts";
import { autosaveMaxWaitMs, autosaveDebounceMs } from "./state.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { session, words } from "../../../tests/support/web/posts-session-support.ts";
import { forgetDrafts, fullPost } from "../../../tests/support/web/posts-support.ts";
import { pending, stubApi } from "../../../tests/support/web/stub-api.ts";

beforeEach(forgetDrafts);
afterEach(() => vi.useRealTimers());

async function typeDuringSave() {
  const answer = pending<object>();
  stubApi({ "PUT /api/posts/*": () => answer.promise });
  const { result, write } = session();
  write("One");
  const save = result.current.write({ kind: "save" });
  await waitFor(() => expect(result.current.busy).toBe("save"));
  write("One, two");
  return { result, save, answer };
}

test("a cover upload counts as unsaved, and saving waits for it", async () => {
  const api = stubApi({ "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
  const { result } = session();
  const arrival = pending<void>();
  const upload = arrival.promise.then(() => result.current.setCover("none"));
  act(() => void result.current.trackUpload(upload));
  expect([result.current.dirty, result.current.uploading]).toEqual([true, true]);
  const whole = result.current.readWhole();
  let save = Promise.resolve(false);
  act(() => void (save = result.current.write({ kind: "save" })));
  await act(() => new Promise((done) => setTimeout(done, 20)));
  expect(api.to("PUT /api/posts/*")).toEqual([]);
  await act(async () => {
    arrival.resolve();
    await save;
  });
  expect(await whole).toMatchObject({ cover_image: "none" });
  expect(api.to("PUT /api/posts/*")[0]?.body).toMatchObject({ cover_image: "none" });
  expect([result.current.dirty, result.current.uploading]).toEqual([false, false]);
});

test("changes abandoned during a save stay on the device when the save succeeds", async () => {
  const { result, save, answer } = await typeDuringSave();
  await act(async () => {
    await result.current.abandonChanges();
    answer.resolve({ post: fullPost({ version: 2 }) });
    await save;
    await result.current.storeDraft();
  });
  expect(await draftsOf(`ada:${ids.post}`)).toMatchObject([{ content: words("One, two") }]);
});

describe("restore", () => {
  const left: LocalDraft = {
    ...{ sessionId: "earlier", key: `ada:${ids.post}`, workspaceId: ids.acme, ...emptyFields, title: "Faster exports" },
    ...{ content: words("Left behind"), baseVersion: 1, savedAt: 1 },
  };

  test("offers no draft that the server already has", async () => {
    stubApi({});
    await putDraft({ ...left, content: words("Twice as fast."), tags: fullPost().tags });
    await putDraft({ ...left, sessionId: "another" });
    const { result } = session();
    await waitFor(() => expect(result.current.offered.map(({ sessionId }) => sessionId)).toEqual(["another"]));
    await waitFor(async () => expect(await draftsOf(left.key)).toHaveLength(1));
  });

  test("does nothing without an editor and keeps the draft", async () => {
    stubApi({});
    await putDraft(left);
    const { result, body } = session();
    body.current = null;
    await act(async () => expect(await result.current.restore(left)).toBe(false));
    await act(() => result.current.storeDraft());
    expect(await draftsOf(left.key)).toEqual([left]);
    expect(result.current.dirty).toBe(false);
  });

  test("doesn't replace what is typed while it loads", async () => {
    const revision = pending<object>();
    stubApi({ "GET /api/posts/*/revisions/*": () => revision.promise });
    await putDraft(left);
    const { result, editor, write } = session(fullPost({ version: 2 }));
    let restored = Promise.resolve(true);
    act(() => void (restored = result.current.restore(left)));
    write("Typed meanwhile");
    await act(async () => {
      revision.resolve({ revision: null });
      expect(await restored).toBe(false);
    });
    expect(editor.text).toBe("Typed meanwhile");
  });

  test("keeps the old draft when the device is full", async () => {
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

test("autosave is debounced with one timer per kind", async () => {
  const due: { ms: number; work: () => void }[] = [];
  const clock: Clock = {
    now: () => new Date("2026-11-20T12:00:00Z"),
    after: (ms, work) => {
      const timer = { ms, work };
      due.push(timer);
      return () => void due.splice(due.indexOf(timer), due.includes(timer) ? 1 : 0);
    },
  };
  const update = vi.fn(async () => fullPost({ version: 2 }));
  const calls = { create: vi.fn(), update, read: vi.fn(), check: vi.fn(), revision: vi.fn() } satisfies Calls;
  const [nothing, show] = [async () => undefined, async () => true];
  const body = { current: { read: async () => words("One, two"), replace: nothing, show, settled: nothing } };
  const options = { workspaceId: ids.acme, userId: "ada", opened: fullPost(), body, onCreated: () => undefined };
  const visit = new PostSession(options, clock, calls);
  visit.bodyChanged();
  visit.bodyChanged();
  expect(due.map(({ ms }) => ms)).toEqual([draftDelayMs, autosaveMaxWaitMs, autosaveDebounceMs]);
  due[2]?.work();
  await vi.waitFor(() => expect(visit.getSnapshot()).toMatchObject({ dirty: false, post: { version: 2 } }), { timeout: 10_000 });
  expect(update).toHaveBeenCalledOnce();
});

test("the last text is stored when the editor unmounts", async () => {
  stubApi({});
  const { write, unmount } = session();
  write("Last words");
  unmount();
  expect(await draftsOf(`ada:${ids.post}`)).toMatchObject([{ content: words("Last words") }]);
});
