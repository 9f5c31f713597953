import { renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { onPostEvent, type PostEvent } from "../../web/features/posts/model/post-events.ts";
import { useLivePosts } from "../../web/features/posts/state/use-live-posts.ts";
import { ids } from "./fixtures.ts";
import { postId, summary } from "./posts-support.ts";

type Listener = (message: { payload: unknown }) => void;
const realtime = vi.hoisted(() => ({
  session: { access_token: "token" } as object | null,
  topics: [] as string[],
  listeners: new Map<string, Listener>(),
  removed: 0,
}));

vi.mock("../../web/lib/supabase-browser.ts", () => {
  const channel = {
    on: (_kind: string, { event }: { event: string }, listener: Listener) => (realtime.listeners.set(event, listener), channel),
    subscribe: () => channel,
  };
  return {
    supabaseBrowser: async () => ({
      auth: { getSession: async () => ({ data: { session: realtime.session } }) },
      realtime: { setAuth: async () => undefined },
      channel: (topic: string) => (realtime.topics.push(topic), channel),
      removeChannel: async () => void realtime.removed++,
    }),
  };
});

beforeEach(() => {
  Object.assign(realtime, { session: { access_token: "token" }, topics: [], listeners: new Map(), removed: 0 });
});

async function listen() {
  const heard: PostEvent[] = [];
  const stop = onPostEvent((event) => heard.push(event));
  const hook = renderHook(() => useLivePosts(ids.acme));
  await waitFor(() => expect(realtime.listeners.size).toBe(2));
  return { ...hook, heard, stop, tell: (event: string, payload: unknown) => realtime.listeners.get(event)?.({ payload }) };
}

test("what colleagues save and remove reaches the list", async () => {
  const { heard, stop, tell } = await listen();
  const post = summary(3);
  tell("post-upserted", { workspace_id: ids.acme, post });
  tell("post-removed", { workspace_id: ids.acme, post_id: postId(3) });
  expect(realtime.topics).toEqual([`workspace:${ids.acme}`]);
  expect(heard).toEqual([
    { type: "post-upserted", workspaceId: ids.acme, post },
    { type: "post-removed", workspaceId: ids.acme, postId: postId(3) },
  ]);
  stop();
});

test("a message of another shape is left aside", async () => {
  const { heard, stop, tell } = await listen();
  tell("post-upserted", { workspace_id: ids.acme, post: { id: 5 } });
  tell("post-removed", {});
  expect(heard).toEqual([]);
  stop();
});

test("leaving the workspace ends it", async () => {
  const { unmount, stop } = await listen();
  unmount();
  await waitFor(() => expect(realtime.removed).toBe(1));
  stop();
});

test("without a session nobody listens", async () => {
  realtime.session = null;
  renderHook(() => useLivePosts(ids.acme));
  await new Promise((done) => setTimeout(done, 20));
  expect(realtime.topics).toEqual([]);
});
