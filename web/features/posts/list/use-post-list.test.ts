import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PostSummary } from "#contract/posts.ts";
import { emitMissed, emitPostEvent } from "../post-events.ts";
import { usePostList } from "./use-post-list.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { postId, summary } from "../../../../tests/support/web/posts-support.ts";
import { pending, refusal, stubApi, type Asked } from "../../../../tests/support/web/stub-api.ts";

async function open(count: number) {
  const server = { posts: Array.from({ length: count }, (_, index) => summary(index + 1)) };
  const api = stubApi({
    "GET /api/workspaces/*/posts": ({ path }: Asked) => {
      const query = new URL(path, location.origin).searchParams;
      const page = Number(query.get("page"));
      const limit = Number(query.get("limit"));
      const matching = server.posts.filter(({ status }) => query.get("status") === "all" || query.get("status") === status);
      const pagination = { page, pages: Math.max(1, Math.ceil(matching.length / limit)), total: matching.length };
      return { posts: matching.slice((page - 1) * limit, page * limit), pagination };
    },
  });
  const { result } = renderHook(({ status }) => usePostList(ids.acme, status), { initialProps: { status: "draft" as const } });
  const settled = () => waitFor(() => expect(result.current.loading).toBe(false));
  const more = async () => {
    act(() => result.current.loadMore());
    await settled();
  };
  await settled();
  return { server, api, result, more, settled, listed: () => result.current.posts.map(({ id }) => id) };
}

test.each([
  ["are archived", (post: PostSummary) => ({ type: "post-removed", workspaceId: ids.acme, postId: post.id }) as const],
  [
    "leave the status filter",
    (post: PostSummary) => ({ type: "post-upserted", workspaceId: ids.acme, post: { ...post, status: "published", version: 2 } }) as const,
  ],
])("usePostList loads every post when some listed ones %s", async (_, event) => {
  const { server, result, more, listed } = await open(70);
  await more();
  const [, second, , fourth, , , seventh, eighth] = server.posts;
  for (const post of [second!, fourth!, seventh!, eighth!]) {
    server.posts = server.posts.filter(({ id }) => id !== post.id);
    act(() => emitPostEvent(event(post)));
  }
  while (result.current.page < result.current.pages) await more();
  expect(listed()).toEqual(server.posts.map(({ id }) => id));
});

test("missed events reload the list without emptying it", async () => {
  const { server, result, listed, settled } = await open(3);
  server.posts = [summary(9, { title: "Made meanwhile" }), ...server.posts.slice(1)];
  let emptied = false;
  act(() => emitMissed(ids.acme));
  while (!listed().includes(postId(9))) {
    emptied ||= listed().length === 0;
    await act(() => new Promise((resolve) => setTimeout(resolve)));
  }
  expect(emptied).toBe(false);
  await settled();
  expect(listed()).toEqual([9, 2, 3].map(postId));
  expect(result.current.error).toBeNull();
});

test("events during a reload are applied to its outdated answer", async () => {
  const { api, server, listed } = await open(3);
  const answer = pending<object>();
  api.set({ "GET /api/workspaces/*/posts": () => answer.promise });
  act(() => emitMissed(ids.acme));
  await waitFor(() => expect(api.to("GET /api/workspaces/*/posts")).toHaveLength(2));
  act(() => emitPostEvent({ type: "post-upserted", workspaceId: ids.acme, post: summary(9) }));
  act(() => emitPostEvent({ type: "post-removed", workspaceId: ids.acme, postId: postId(2) }));
  answer.resolve({ posts: [summary(8), ...server.posts], pagination: { page: 1, pages: 1, total: 4 } });
  await waitFor(() => expect(listed()).toContain(postId(8)));
  expect(listed()).toEqual([9, 8, 1, 3].map(postId));
});

test("a failed next page is logged, ends loading and keeps the list", async () => {
  const { api, result, listed, settled } = await open(20);
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  api.set({ "GET /api/workspaces/*/posts": () => refusal("internal") });
  act(() => result.current.loadMore());
  await waitFor(() => expect(log).toHaveBeenCalledWith("Loading posts failed", expect.objectContaining({ code: "internal" })));
  await settled();
  expect(listed()).toHaveLength(15);
});
