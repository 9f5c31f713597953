import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { createDraftKeeper } from "./draft-keeper.ts";
import { orphaned } from "./draft-session.ts";
import { deleteDraft, draftsOf, DraftStoreError, putDraft, type LocalDraft } from "./draft-store.ts";
import { forgetDrafts } from "../../../../tests/support/web/posts-support.ts";

beforeEach(forgetDrafts);
afterEach(() => void vi.restoreAllMocks());

const draft = (fields: Partial<LocalDraft> = {}): LocalDraft => ({
  sessionId: "one",
  key: "ada:post",
  workspaceId: "acme",
  title: "Title",
  tags: [],
  content: cleanBlocks([{ type: "paragraph", data: { text: "Words" } }]),
  baseVersion: 1,
  savedAt: 1,
  ...fields,
});

describe("the store", () => {
  test("keeps drafts by person and post, newest first", async () => {
    await putDraft(draft());
    await putDraft(draft({ sessionId: "two", savedAt: 2 }));
    await putDraft(draft({ sessionId: "three", key: "grace:post" }));
    expect((await draftsOf("ada:post")).map((found) => found.sessionId)).toEqual(["two", "one"]);
    await deleteDraft("two");
    expect(await draftsOf("ada:post")).toEqual([draft()]);
  });

  test("tells a full device from one without storage", async () => {
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementationOnce(() => {
      throw new DOMException("no room", "QuotaExceededError");
    });
    await expect(putDraft(draft())).rejects.toMatchObject({ reason: "full" });
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementationOnce(() => {
      throw new DOMException("not allowed", "SecurityError");
    });
    await expect(putDraft(draft())).rejects.toMatchObject({ reason: "unavailable" });
  });
});

describe("drafts of tabs that are gone", () => {
  test("are offered; those of a living tab are not", async () => {
    await putDraft(draft());
    await putDraft(draft({ sessionId: "alive", savedAt: 5 }));
    vi.stubGlobal("navigator", { locks: { query: async () => ({ held: [{ name: "tidings:draft:alive" }] }) } });
    expect((await orphaned(draftsOf("ada:post"))).map((found) => found.sessionId)).toEqual(["one"]);
    vi.unstubAllGlobals();
  });
});

describe("keeping a draft", () => {
  function keeper(snapshot: () => Promise<LocalDraft | null> = async () => draft()) {
    const problems: unknown[] = [];
    const kept = createDraftKeeper({ sessionId: "one", snapshot, onProblem: (problem) => problems.push(problem) });
    return { kept, problems };
  }

  test("stores what there is; nothing is stored while there is nothing to keep", async () => {
    const { kept, problems } = keeper();
    await kept.store();
    expect(await draftsOf("ada:post")).toHaveLength(1);
    expect(problems).toEqual([null]);
    await keeper(async () => null).kept.store();
    expect(await draftsOf("ada:post")).toHaveLength(1);
  });

  test("a full device is said, and forgotten when there is room again", async () => {
    const { kept, problems } = keeper();
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementationOnce(() => {
      throw new DOMException("no room", "QuotaExceededError");
    });
    await kept.store();
    await kept.store();
    expect(problems).toEqual(["full", null]);
  });

  test("any other failure counts as no storage", async () => {
    const { kept, problems } = keeper(() => Promise.reject(new Error("the editor is gone")));
    await kept.store();
    expect(problems).toEqual(["unavailable"]);
    expect(new DraftStoreError("full").reason).toBe("full");
  });
});
