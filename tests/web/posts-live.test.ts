import { renderHook, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { onMissed, onPostEvent, type PostEvent } from "../../web/features/posts/model/post-events.ts";
import { useLivePosts } from "../../web/features/posts/state/use-live-posts.ts";
import { ids } from "./fixtures.ts";
import { postId, summary } from "./posts-support.ts";

type Listener = (message: { payload: unknown }) => void;
const realtime = vi.hoisted(() => ({
  session: { access_token: "token" } as object | null,
  topics: [] as string[],
  listeners: new Map<string, Listener>(),
  removed: 0,
  reachable: true,
  status: (_: string) => {},
}));

vi.mock("../../web/lib/supabase-browser.ts", () => {
  const channel = {
    on: (_kind: string, { event }: { event: string }, listener: Listener) => (realtime.listeners.set(event, listener), channel),
    subscribe: (onStatus: (status: string) => void) => ((realtime.status = onStatus), channel),
  };
  const client = {
    auth: { getSession: async () => ({ data: { session: realtime.session } }) },
    realtime: { setAuth: async () => undefined },
    channel: (topic: string) => (realtime.topics.push(topic), channel),
    removeChannel: async () => void realtime.removed++,
  };
  return { supabaseBrowser: () => (realtime.reachable ? Promise.resolve(client) : Promise.reject(new Error("offline"))) };
});

beforeEach(() => {
  Object.assign(realtime, { session: { access_token: "token" }, reachable: true, topics: [], listeners: new Map(), removed: 0 });
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

describe("what happened meanwhile", () => {
  const gaps = () => {
    const heard: string[] = [];
    onTestFinished(onMissed((workspaceId) => heard.push(workspaceId)));
    return heard;
  };

  test("is asked for when the connection is back, and not at the beginning", async () => {
    const heard = gaps();
    const { stop } = await listen();
    realtime.status("SUBSCRIBED");
    expect(heard).toEqual([]);
    realtime.status("CHANNEL_ERROR");
    realtime.status("SUBSCRIBED");
    expect(heard).toEqual([ids.acme]);
    stop();
  });

  test.each([
    ["the network is back", () => window.dispatchEvent(new Event("online"))],
    ["the page is shown again", () => document.dispatchEvent(new Event("visibilitychange"))],
  ])("is asked for after a beginning that failed, when %s", async (_, happens) => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const heard = gaps();
    realtime.reachable = false;
    const { unmount } = renderHook(() => useLivePosts(ids.acme));
    await waitFor(() => expect(warned).toHaveBeenCalled());
    realtime.reachable = true;
    happens();
    await waitFor(() => expect(realtime.topics).toEqual([`workspace:${ids.acme}`]));
    realtime.status("SUBSCRIBED");
    expect(heard).toEqual([ids.acme]);
    happens();
    expect(realtime.topics).toHaveLength(1);
    unmount();
  });
});
