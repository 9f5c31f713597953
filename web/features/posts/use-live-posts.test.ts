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

vi.mock("../../lib/supabase-browser.ts", () => {
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

const me = "99999999-9999-4999-8999-999999999999";

beforeEach(() => {
  Object.assign(realtime, {
    session: { access_token: "token", user: { id: me } },
    reachable: true,
    topics: [],
    listeners: new Map(),
    removed: 0,
  });
  const clock = vi.spyOn(performance, "now").mockReturnValue(0); // however slow this machine is
  return () => clock.mockRestore();
});

async function listen() {
  const heard: PostEvent[] = [];
  const stop = onPostEvent((event) => heard.push(event));
  const hook = renderHook(() => useLivePosts(ids.acme));
  await waitFor(() => expect(realtime.listeners.size).toBe(7));
  return { ...hook, heard, stop, tell: (event: string, payload: unknown) => realtime.listeners.get(event)?.({ payload }) };
}

/** The server's posts, and what it is asked for. */
function serve(...posts: PostSummary[]) {
  const asked: string[][] = [];
  stubApi({
    "GET /api/workspaces/*/posts": ({ path }: Asked) => {
      const wanted = new URL(path, location.origin).searchParams.get("ids")!.split(",");
      asked.push(wanted);
      return listOf(posts.filter(({ id }) => wanted.includes(id)));
    },
  });
  return asked;
}
const changed = (number: number, version = 2) => ({ workspace_id: ids.acme, post_id: postId(number), version });
const aMoment = () => new Promise((done) => setTimeout(done, 200));

test("a tag that a colleague changes makes the lists look again: its posts have no newer version", async () => {
  const { tell } = await listen();
  const looked = vi.fn<(workspaceId: string) => void>();
  onTestFinished(onMissed(looked));
  tell("tags-changed", { workspace_id: ids.acme });
  expect(looked.mock.calls).toEqual([[ids.acme]]);
});

test("what colleagues save and remove reaches the list", async () => {
  const post = summary(3, { version: 2 });
  serve(post);
  const { heard, stop, tell } = await listen();
  tell("post-upserted", changed(3));
  await waitFor(() => expect(heard).toEqual([{ type: "post-upserted", workspaceId: ids.acme, post }]));
  tell("post-removed", { workspace_id: ids.acme, post_id: postId(3) });
  expect(realtime.topics).toEqual([`workspace:${ids.acme}`]);
  expect(heard.at(-1)).toEqual({ type: "post-removed", workspaceId: ids.acme, postId: postId(3) });
  stop();
});

test("what is announced within a moment is asked for together, each post once", async () => {
  const asked = serve(summary(3, { version: 3 }), summary(4, { version: 2 }));
  const { heard, stop, tell } = await listen();
  for (const event of [changed(3, 2), changed(4), changed(3, 3)]) tell("post-upserted", event);
  await waitFor(() => expect(heard).toHaveLength(2));
  expect(asked).toEqual([[postId(3), postId(4)]]);
  stop();
});

test("one's own save is not asked for, and what was purged meanwhile does not come back", async () => {
  const asked = serve(summary(3, { version: 2 }), summary(4, { version: 2 }));
  const { heard, stop, tell } = await listen();
  tell("post-upserted", changed(3));
  tell("post-upserted", changed(4));
  emitPostEvent({ type: "post-upserted", workspaceId: ids.acme, post: summary(3, { version: 2 }) });
  tell("post-removed", { workspace_id: ids.acme, post_id: postId(4) });
  await aMoment();
  expect([asked, heard.map(({ type }) => type)]).toEqual([[], ["post-upserted", "post-removed"]]);
  stop();
});

test("what saved itself is told to whoever has it open at once, to the lists at leisure", async () => {
  const asked = serve(summary(3, { version: 4 }));
  const told: [string, number][] = [];
  onTestFinished(onAnnounced((...news) => told.push(news)));
  const { stop, tell } = await listen();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  for (const version of [2, 3, 4]) {
    tell("post-upserted", { ...changed(3, version), autosaved: true });
    await vi.advanceTimersByTimeAsync(400);
    expect(told.at(-1)).toEqual([postId(3), version]);
  }
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual([[postId(3)]]);
  tell("post-upserted", { ...changed(3, 5), autosaved: true });
  tell("post-upserted", changed(3, 6)); // by hand: at once, together
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toHaveLength(2);
  stop();
});

test("whoever is removed from the workspace hears no more, whoever stays does", async () => {
  const asked = serve(summary(3));
  const { stop, tell } = await listen();
  tell("member-left", { workspace_id: ids.acme, user_id: postId(8) });
  expect(realtime.removed).toBe(0);
  tell("post-upserted", changed(3));
  tell("member-left", { workspace_id: ids.acme, user_id: me });
  expect(realtime.removed).toBe(1);
  await aMoment();
  expect(asked).toEqual([]);
  stop();
});

test("what the server has ended, as with a session that was over, begins again once somebody is signed in again", async () => {
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
});
