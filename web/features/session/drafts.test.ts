import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { emptyFields } from "#contract/rules/post-content.ts";
import { createDraftKeeper } from "./draft-keeper.ts";
import { orphanedDrafts } from "./draft-session.ts";
import { deleteDraft, draftsOf, DraftStoreError, putDraft, type LocalDraft } from "./draft-store.ts";
import { forgetDrafts } from "../../../tests/support/web/posts-support.ts";

beforeEach(forgetDrafts);
afterEach(() => void vi.restoreAllMocks());

const draft = (fields: Partial<LocalDraft> = {}): LocalDraft => ({
  sessionId: "one",
  key: "ada:post",
  workspaceId: "acme",
  ...emptyFields,
  title: "Title",
  content: cleanBlocks([{ type: "paragraph", data: { text: "Words" } }]),
  baseVersion: 1,
  savedAt: 1,
  ...fields,
});

describe("draft store", () => {
  test("keeps drafts by user and post, newest first", async () => {
    await putDraft(draft());
    await putDraft(draft({ sessionId: "two", savedAt: 2 }));
    await putDraft(draft({ sessionId: "three", key: "grace:post" }));
    expect((await draftsOf("ada:post")).map((draft) => draft.sessionId)).toEqual(["two", "one"]);
    await deleteDraft("two");
    expect(await draftsOf("ada:post")).toEqual([draft()]);
  });

  test("distinguishes a full device from blocked storage", async () => {
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

describe("orphanedDrafts", () => {
  test("returns only drafts of closed tabs", async () => {
    await putDraft(draft());
    await putDraft(draft({ sessionId: "alive", savedAt: 5 }));
    vi.stubGlobal("navigator", { locks: { query: async () => ({ held: [{ name: "tidings:draft:alive" }] }) } });
    expect((await orphanedDrafts(draftsOf("ada:post"))).map((draft) => draft.sessionId)).toEqual(["one"]);
    vi.unstubAllGlobals();
  });
});

describe("createDraftKeeper", () => {
  function keeper(snapshot: () => Promise<LocalDraft | null> = async () => draft()) {
    const problems: unknown[] = [];
    const draftKeeper = createDraftKeeper({ sessionId: "one", snapshot, onProblem: (problem) => problems.push(problem) });
    return { draftKeeper, problems };
  }

  test("stores a draft, and nothing without one", async () => {
    const { draftKeeper, problems } = keeper();
    await draftKeeper.store();
    expect(await draftsOf("ada:post")).toHaveLength(1);
    expect(problems).toEqual([null]);
    await keeper(async () => null).draftKeeper.store();
    expect(await draftsOf("ada:post")).toHaveLength(1);
  });

  test("reports a full device until there is room again", async () => {
    const { draftKeeper, problems } = keeper();
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementationOnce(() => {
      throw new DOMException("no room", "QuotaExceededError");
    });
    await draftKeeper.store();
    await draftKeeper.store();
    expect(problems).toEqual(["full", null]);
  });

  test("reports any other failure as unavailable storage", async () => {
    const { draftKeeper, problems } = keeper(() => Promise.reject(new Error("the editor is gone")));
    await draftKeeper.store();
    expect(problems).toEqual(["unavailable"]);
    expect(new DraftStoreError("full").reason).toBe("full");
  });
});
