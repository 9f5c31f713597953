import { renderHook, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { PostSummary } from "#contract/posts.ts";
import { emitPostEvent, onAnnounced, onMissed, onPostEvent, type PostEvent } from "./post-events.ts";
import { useLivePosts } from "./use-live-posts.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { listOf, postId, summary } from "../../../tests/support/web/posts-support.ts";
import { stubApi, type Asked } from "../../../tests/support/web/stub-api.ts";

type Listener = (message: { payload: unknown }) => void;
const realtime = vi.hoisted(() => ({
  session: null as object | null,
  topics: [] as string[],
  listeners: new Map<string, Listener>(),
  removed: 0,
  reachable: true,
  status: (_: string) => {},
}));

vi.mock("../../lib/realtime.ts", () => {
  const channel = {
    on: (_kind: string, { event }: { event: string }, listener: Listener) => (realtime.listeners.set(event, listener), channel),
    subscribe: (onStatus: (status: string) => void) => ((realtime.status = onStatus), channel),
  };
  const client = {
    setAuth: async () => undefined,
    channel: (topic: string) => (realtime.topics.push(topic), channel),
    removeChannel: async () => void realtime.removed++,
  };
  const realtimeClient = () => (realtime.reachable ? Promise.resolve(client) : Promise.reject(new Error("offline")));
  return { realtimeClient, currentSession: () => realtime.session };
});

const me = "99999999-9999-4999-8999-999999999999";

beforeEach(() => {
  Object.assign(realtime, {
    session: { access_token: "token", user: { id: me } },
    reachable: true,
    topics: [],
    listeners: new Map(),
    removed: 0,
  });
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  return () => clock.mockRestore();
});

async function listen() {
  const events: PostEvent[] = [];
  const stop = onPostEvent((event) => events.push(event));
  const hook = renderHook(() => useLivePosts(ids.acme));
  await waitFor(() => expect(realtime.listeners.size).toBe(7));
  return { ...hook, events, stop, broadcast: (event: string, payload: unknown) => realtime.listeners.get(event)?.({ payload }) };
}

/** Serves posts. Returns the requested ids. */
function serve(...posts: PostSummary[]) {
  const requestedIds: string[][] = [];
  stubApi({
    "GET /api/workspaces/*/posts": ({ path }: Asked) => {
      const postIds = new URL(path, location.origin).searchParams.get("ids")!.split(",");
      requestedIds.push(postIds);
      return listOf(posts.filter(({ id }) => postIds.includes(id)));
    },
  });
  return requestedIds;
}
const changed = (number: number, version = 2) => ({ workspace_id: ids.acme, post_id: postId(number), version });
const aMoment = () => new Promise((done) => setTimeout(done, 200));

test("a colleague's tag change reloads the lists", async () => {
  const { broadcast } = await listen();
  const onReload = vi.fn<(workspaceId: string) => void>();
  onTestFinished(onMissed(onReload));
  broadcast("tags-changed", { workspace_id: ids.acme });
  expect(onReload.mock.calls).toEqual([[ids.acme]]);
});

test("a colleague's save and removal reach the list", async () => {
  const post = summary(3, { version: 2 });
  serve(post);
  const { events, stop, broadcast } = await listen();
  broadcast("post-upserted", changed(3));
  await waitFor(() => expect(events).toEqual([{ type: "post-upserted", workspaceId: ids.acme, post }]));
  broadcast("post-removed", { workspace_id: ids.acme, post_id: postId(3) });
  expect(realtime.topics).toEqual([`workspace:${ids.acme}`]);
  expect(events.at(-1)).toEqual({ type: "post-removed", workspaceId: ids.acme, postId: postId(3) });
  stop();
});

test("posts announced close together are fetched in one batch, each once", async () => {
  const requestedIds = serve(summary(3, { version: 3 }), summary(4, { version: 2 }));
  const { events, stop, broadcast } = await listen();
  for (const event of [changed(3, 2), changed(4), changed(3, 3)]) broadcast("post-upserted", event);
  await waitFor(() => expect(events).toHaveLength(2));
  expect(requestedIds).toEqual([[postId(3), postId(4)]]);
  stop();
});

test("own saves aren't fetched, and a purged post doesn't come back", async () => {
  const requestedIds = serve(summary(3, { version: 2 }), summary(4, { version: 2 }));
  const { events, stop, broadcast } = await listen();
  broadcast("post-upserted", changed(3));
  broadcast("post-upserted", changed(4));
  emitPostEvent({ type: "post-upserted", workspaceId: ids.acme, post: summary(3, { version: 2 }) });
  broadcast("post-removed", { workspace_id: ids.acme, post_id: postId(4) });
  await aMoment();
  expect([requestedIds, events.map(({ type }) => type)]).toEqual([[], ["post-upserted", "post-removed"]]);
  stop();
});

test("an autosave reaches open editors immediately and the lists later", async () => {
  const requestedIds = serve(summary(3, { version: 4 }));
  const announced: [string, number][] = [];
  onTestFinished(onAnnounced((...news) => announced.push(news)));
  const { stop, broadcast } = await listen();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  for (const version of [2, 3, 4]) {
    broadcast("post-upserted", { ...changed(3, version), autosaved: true });
    await vi.advanceTimersByTimeAsync(400);
    expect(announced.at(-1)).toEqual([postId(3), version]);
  }
  expect(requestedIds).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requestedIds).toEqual([[postId(3)]]);
  broadcast("post-upserted", { ...changed(3, 5), autosaved: true });
  broadcast("post-upserted", changed(3, 6)); // a manual save: fetched immediately, in one batch
  await vi.advanceTimersByTimeAsync(200);
  expect(requestedIds).toHaveLength(2);
  stop();
});

test("only the removed member's subscription ends", async () => {
  const requestedIds = serve(summary(3));
  const { stop, broadcast } = await listen();
  broadcast("member-left", { workspace_id: ids.acme, user_id: postId(8) });
  expect(realtime.removed).toBe(0);
  broadcast("post-upserted", changed(3));
  broadcast("member-left", { workspace_id: ids.acme, user_id: me });
  expect(realtime.removed).toBe(1);
  await aMoment();
  expect(requestedIds).toEqual([]);
  stop();
});

test("a subscription that the server closed starts again after signing in", async () => {
  const { unmount, stop } = await listen();
  realtime.status("SUBSCRIBED");
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { session } = realtime;
  realtime.session = null;
  realtime.status("CLOSED");
  expect(realtime.removed).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(realtime.topics).toHaveLength(1);
  realtime.session = session;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(realtime.topics).toHaveLength(2);
  const missed = vi.fn<(workspaceId: string) => void>();
  onTestFinished(onMissed(missed));
  realtime.status("SUBSCRIBED");
  expect(missed.mock.calls).toEqual([[ids.acme]]);
  unmount();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(realtime.topics).toHaveLength(2);
  stop();
});

describe("missed events", () => {
  const gaps = () => {
    const events: string[] = [];
    onTestFinished(onMissed((workspaceId) => events.push(workspaceId)));
    return events;
  };

  test("reload the lists after each connection: they were read before it", async () => {
    const events = gaps();
    const { stop } = await listen();
    realtime.status("SUBSCRIBED");
    expect(events).toEqual([ids.acme]);
    realtime.status("CHANNEL_ERROR");
    realtime.status("SUBSCRIBED");
    expect(events).toEqual([ids.acme, ids.acme]);
    stop();
  });
});
