import { expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import type { Binder } from "../../_shared/handle.ts";
import { bindPosts } from "./routes.ts";

interface Asked {
  who: string;
  answer(): void;
}

/** The search of people, with a database that answers when it is told to. */
function searching() {
  const asked: Asked[] = [];
  let search: ((call: unknown) => Promise<unknown>) | undefined;
  const signedIn = (endpoint: unknown, handler: typeof search) => void (endpoint === postEndpoints.search && (search = handler));
  bindPosts({ signedIn, file: () => {} } as unknown as Binder);
  const find = (who: string) => {
    const rpc = () => new Promise((resolve) => asked.push({ who, answer: () => resolve({ data: [], error: null }) }));
    return search!({ user: { id: who }, db: { rpc }, params: { workspaceId: "w" }, query: { q: "word", limit: 8 } });
  };
  return { find, asked };
}

test("searches are asked one after the other, people in turns", async () => {
  const { find, asked } = searching();
  const found = ["a", "a", "a", "b"].map(find);
  for (let at = 0; at < found.length; at += 1) {
    await expect.poll(() => asked.length).toBe(at + 1);
    asked[at]!.answer();
  }
  expect(await Promise.all(found)).toEqual(Array(4).fill({ posts: [] }));
  expect(asked.map(({ who }) => who)).toEqual(["a", "a", "b", "a"]);
});

test("of one person who has many waiting the next is refused, that of another is not", async () => {
  const { find, asked } = searching();
  const found = Array.from({ length: 9 }, () => find("a"));
  await expect(find("a")).rejects.toMatchObject({ code: "rate_limited" });
  found.push(find("b"));
  for (let at = 0; at < found.length; at += 1) {
    await expect.poll(() => asked.length).toBe(at + 1);
    asked[at]!.answer();
  }
  await Promise.all(found);
  expect(asked.map(({ who }) => who)).toContain("b");
});
