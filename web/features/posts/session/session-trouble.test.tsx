import { act, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Post, PostSummary } from "#contract/posts.ts";
import { emitPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";
import type { Intent } from "./write.ts";
import { draftsOf } from "./draft-store.ts";
import { toasts } from "../../../lib/toasts.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { cutOff, session, words } from "../../../../tests/support/web/posts-session-support.tsx";
import { forgetDrafts, fullPost, paragraph } from "../../../../tests/support/web/posts-support.ts";
import { pending, refusal, stubApi, type Asked } from "../../../../tests/support/web/stub-api.ts";

beforeEach(forgetDrafts);

type Session = ReturnType<typeof session>["result"];
const ask = (result: Session, intent: Intent) => act(async () => void (await result.current.write(intent)));
const update = "PUT /api/posts/*";
const create = "POST /api/posts";
const bodies = (api: ReturnType<typeof stubApi>, call: string) => api.to(call).map(({ body }) => body as Record<string, unknown>);

describe("an image on its way", () => {
  function uploading(opened: Post = fullPost()) {
    const arrival = pending<void>();
    const api = stubApi({ [update]: { post: { ...opened, version: 2 } } });
    const made = session(opened);
    made.editor.settled = arrival.promise;
    act(() => made.result.current.uploaded("begun"));
    const end = async (state: "changed" | "over") =>
      await act(async () => {
        if (state === "changed") made.editor.text = "With an image";
        made.result.current.uploaded(state);
        arrival.resolve();
      });
    return { ...made, api, end };
  }

  test("counts as unsaved, and is waited for when the person publishes", async () => {
    const { result, api, end } = uploading();
    expect(result.current).toMatchObject({ dirty: true, uploading: true });
    const publishing = result.current.write({ kind: "publish" });
    await waitFor(() => expect(result.current.busy).toBe("publish"));
    expect(api.requests).toEqual([]);
    await end("changed");
    await act(async () => void (await publishing));
    expect(bodies(api, update)).toMatchObject([{ content_raw: expect.stringContaining("With an image") as string, status: "published" }]);
    expect(result.current).toMatchObject({ dirty: false, uploading: false });
  });

  test("does not hold back the text around it; that alone is not everything", async () => {
    const { result, write, api, end } = uploading();
    write("Words");
    await ask(result, { kind: "autosave" });
    expect(bodies(api, update)).toMatchObject([{ content_raw: expect.stringContaining("Words") as string }]);
    expect(result.current.dirty).toBe(true);
    await end("changed");
    expect(result.current.dirty).toBe(true);
  });

  test("that never arrives leaves nothing unsaved, here or on the device", async () => {
    const { result, write, end } = uploading();
    write("Words");
    await act(() => result.current.keepDraft());
    await ask(result, { kind: "autosave" });
    await end("over");
    expect(result.current.dirty).toBe(false);
    await act(() => result.current.keepDraft());
    expect(await draftsOf(`ada:${ids.post}`)).toEqual([]);
  });
});

describe("a new post whose publication got no answer", () => {
  const keys = (api: ReturnType<typeof stubApi>) => new Set(api.to(create).map(({ headers }) => headers.get("idempotency-key")));
  const keyTaken = () => refusal("validation_failed", { idempotency_key: "This key was already used for another request" });
  const answer = ({ body }: Asked) => {
    const { blocks, status = "draft", title } = body as { blocks: object; status?: Post["status"]; title: string };
    return { post: fullPost({ title, status, content_raw: JSON.stringify(blocks) }) };
  };

  async function unanswered() {
    const api = stubApi({ [create]: cutOff });
    const made = session(null);
    act(() => made.result.current.setTitle("New"));
    made.write("One");
    await ask(made.result, { kind: "publish" });
    expect(made.result.current.trouble).toEqual({ reason: "unknown" });
    made.write("One, two");
    return { ...made, api };
  }
  const online = () => act(() => void window.dispatchEvent(new Event("online")));

  test("is not published by itself afterwards: what stands there now is kept as a draft, and that is said", async () => {
    const said = vi.spyOn(toasts, "error");
    const { result, api } = await unanswered();
    api.set({ [create]: answer });
    online();
    await waitFor(() => expect(result.current).toMatchObject({ dirty: false, trouble: null, post: { status: "draft" } }));
    expect(bodies(api, create).at(-1)).toMatchObject({ blocks: words("One, two") });
    expect(bodies(api, create).at(-1)).not.toHaveProperty("status");
    expect(keys(api).size).toBe(1);
    expect(said).toHaveBeenLastCalledWith("Failed to publish post", expect.stringContaining("saved as a draft"));
  });

  test("is found when it had arrived; what was written since waits for the person", async () => {
    const { result, api } = await unanswered();
    api.set({ [create]: (asked: Asked) => ((asked.body as { status?: string }).status ? answer(asked) : keyTaken()) });
    online();
    await waitFor(() => expect(result.current.post).toMatchObject({ status: "published", content_raw: JSON.stringify(words("One")) }));
    expect(result.current).toMatchObject({ dirty: true, trouble: null });
    expect(keys(api).size).toBe(1);
  });

  test("is saved with what stands there when the person saves, and is not published", async () => {
    const { result, api } = await unanswered();
    await ask(result, { kind: "save" }); // no answer either
    result.current.setTitle("Newer");
    api.set({ [create]: answer });
    await ask(result, { kind: "save" });
    expect(result.current).toMatchObject({ dirty: false, post: { status: "draft", title: "Newer" } });
    expect(api.to(update)).toEqual([]);
  });

  test("is published with the newest words when the person asks for it again", async () => {
    const { result, api } = await unanswered();
    api.set({ [create]: answer });
    await ask(result, { kind: "publish" });
    expect(result.current).toMatchObject({ dirty: false, post: { status: "published", content_raw: JSON.stringify(words("One, two")) } });
    expect(keys(api).size).toBe(1);
  });

  test("is found behind whatever was tried since", async () => {
    const { result, api } = await unanswered();
    await ask(result, { kind: "save" }); // no answer either
    api.set({
      [create]: (asked: Asked) => ((asked.body as { status?: string }).status ? answer(asked) : keyTaken()),
      [update]: { post: fullPost({ status: "published", version: 2, content_raw: paragraph("One, two") }) },
    });
    await ask(result, { kind: "save" });
    expect(bodies(api, update)).toMatchObject([{ version: 1, content_raw: expect.stringContaining("One, two") as string }]);
    expect(result.current).toMatchObject({ dirty: false, post: { status: "published", version: 2 } });
  });
});

const soon = "2026-01-05T09:00:00.000Z";
const scheduled = (fields: Partial<Post> = {}) => fullPost({ status: "scheduled", publish_at: soon, ...fields });
const live = (fields: Partial<Post> = {}) => scheduled({ status: "published", published_at: soon, version: 2, ...fields });
const tell = (post: PostSummary) => act(() => emitPostEvent({ type: "post-upserted", workspaceId: ids.acme, post }));
const staleOnce = (post: Post) => {
  let refused = false;
  return () => (refused ? { post } : ((refused = true), refusal("version_conflict")));
};

describe("a scheduled post that goes live while it is open", () => {
  test("is taken over when that is heard; what is unsaved stays", async () => {
    stubApi({ "GET /api/posts/*": { post: live() } });
    const { result, write } = session(scheduled());
    write("More");
    tell(summaryOf(live()));
    await waitFor(() => expect(result.current.post).toMatchObject({ status: "published", version: 2 }));
    expect(result.current).toMatchObject({ dirty: true, conflict: null });
  });

  test("is no conflict for whoever saves: nobody changed the text", async () => {
    const api = stubApi({ "GET /api/posts/*": { post: live() }, [update]: staleOnce(live({ version: 3 })) });
    const { result, write } = session(scheduled());
    write("More");
    await ask(result, { kind: "save" });
    expect(bodies(api, update).map(({ version }) => version)).toEqual([1, 2]);
    expect(result.current).toMatchObject({ dirty: false, conflict: null, post: { version: 3 } });
  });

  test("cannot be unscheduled any more", async () => {
    const api = stubApi({ "GET /api/posts/*": { post: live() }, [update]: staleOnce(live({ version: 3 })) });
    const { result } = session(scheduled({ publish_at: "2999-01-05T09:00:00.000Z" }));
    api.set({ "GET /api/posts/*": { post: live({ publish_at: "2999-01-05T09:00:00.000Z" }) } });
    await ask(result, { kind: "unschedule" });
    expect(api.to(update)).toHaveLength(1);
    expect(result.current.post?.status).toBe("published");
  });

  test.each([
    ["its text was changed", live({ content_raw: paragraph("Theirs") })],
    ["a colleague published it early", live({ publish_at: null })],
  ])("is asked about when %s", async (_, found) => {
    stubApi({ "GET /api/posts/*": { post: found }, [update]: () => refusal("version_conflict") });
    const { result, write } = session(scheduled());
    write("More");
    await ask(result, { kind: "save" });
    expect(result.current).toMatchObject({ conflict: { archived: false }, post: { version: 1 } });
  });
});

describe("a post that gets another address by hand", () => {
  const moved = (fields: Partial<Post> = {}) => live({ slug: "elsewhere", version: 3, ...fields });

  test("is taken over, and is no conflict for whoever saves", async () => {
    const api = stubApi({ "GET /api/posts/*": { post: moved() }, [update]: staleOnce(moved({ version: 4 })) });
    const { result, write } = session(live());
    write("More");
    await ask(result, { kind: "save" });
    expect(bodies(api, update).map(({ version }) => version)).toEqual([2, 3]);
    expect(result.current).toMatchObject({ dirty: false, conflict: null, post: { version: 4, slug: "elsewhere" } });
  });

  test("is asked about when somebody else writes in the moment between", async () => {
    stubApi({ "GET /api/posts/*": { post: moved() }, [update]: () => refusal("version_conflict") });
    const { result, write } = session(live());
    write("More");
    await ask(result, { kind: "save" });
    expect(result.current).toMatchObject({ conflict: { archived: false }, trouble: null, post: { version: 3 } });
  });

  test("is asked about when the text is another one too", async () => {
    stubApi({ "GET /api/posts/*": { post: moved({ content_raw: paragraph("Theirs") }) }, [update]: () => refusal("version_conflict") });
    const { result, write } = session(live());
    write("More");
    await ask(result, { kind: "save" });
    expect(result.current).toMatchObject({ conflict: { archived: false }, post: { version: 2 } });
  });
});

describe("a post that a colleague archives", () => {
  const archived = fullPost({ status: "archived", version: 2 });

  test("is restored together with what was written here", async () => {
    const api = stubApi({ "GET /api/posts/*": { post: archived }, [update]: () => refusal("version_conflict") });
    const { result, write } = session();
    write("Mine");
    await ask(result, { kind: "save" });
    expect(result.current.conflict).toMatchObject({ archived: true });
    api.set({ [update]: { post: fullPost({ version: 3 }) } });
    await act(async () => void (await result.current.overwrite()));
    expect(bodies(api, update).at(-1)).toMatchObject({ status: "draft", content_raw: expect.stringContaining("Mine") as string });
    expect(result.current).toMatchObject({ dirty: false, conflict: null, trouble: null });
  });

  test("is shown as archived when that is heard, but not over unsaved words", async () => {
    stubApi({ "GET /api/posts/*": { post: archived } });
    const { result } = session();
    const other = session();
    other.write("Mine");
    tell(summaryOf(archived));
    await waitFor(() => expect(result.current.post?.status).toBe("archived"));
    expect(other.result.current.post?.status).toBe("draft");
  });
});

test("tags that a colleague changed stay when only the text was changed here, and are shown", async () => {
  const api = stubApi({ [update]: { post: fullPost({ version: 3, tags: ["fix", "docs"] }) } });
  const { result, write } = session(fullPost({ tags: ["feature"] }));
  write("Mine");
  await ask(result, { kind: "save" });
  expect(bodies(api, update)[0]).not.toHaveProperty("tags");
  expect(result.current).toMatchObject({ tags: ["fix", "docs"], dirty: false });
});
