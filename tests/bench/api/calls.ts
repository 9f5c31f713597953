import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { StackFile } from "../../support/stack.ts";
import type { PlainProgram } from "../plain/start.ts";
import { median, quantile } from "../report.ts";
import type { Place } from "./people.ts";

const content = (round: number) => ({
  time: 0,
  blocks: [{ type: "paragraph", data: { text: `Words of round ${round}.` } }],
  version: "2.28.2",
});

/** Long enough that each caller saves some times, short enough that a round of both meets the same machine. */
const saveRoundMs = 1_500;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function api({ url }: { url: string }, token: string, method: string, path: string, body?: object): Promise<Record<string, never>> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, never>;
}

/** How much longer calls of the function take than the same supabase-js calls made directly; medians, taken in turns. */
export async function measureOverhead(stack: StackFile, { workspaceId, postIds, people }: Place, rounds: number) {
  const [{ token }, postId] = [people[0]!, postIds[0]!];
  const database = createClient(stack.url, stack.publishableKey, { accessToken: () => Promise.resolve(token) });
  const pairs: Record<string, [() => Promise<unknown>, (round: number) => Promise<unknown>]> = {
    "list of posts": [
      () => api(stack, token, "GET", `/api/workspaces/${workspaceId}/posts`),
      () => direct(database, "list_posts", { workspace_id: workspaceId }),
    ],
    "one post": [() => api(stack, token, "GET", `/api/posts/${postId}`), () => direct(database, "read_post", { post_id: postId })],
    save: [
      () => api(stack, token, "PUT", `/api/posts/${postId}`, { content_raw: JSON.stringify(content(Math.random())) }),
      () => direct(database, "save_post", { post_id: postId, patch: { content_raw: content(Math.random()) } }),
    ],
  };
  const result: Record<string, { api: number; direct: number }> = {};
  for (const [name, [throughApi, directly]] of Object.entries(pairs)) {
    const times = { api: [] as number[], direct: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      times.api.push(await timed(throughApi));
      times.direct.push(await timed(() => directly(round)));
    }
    result[name] = { api: quantile(times.api, 0.5), direct: quantile(times.direct, 0.5) };
  }
  return result;
}

async function direct(database: SupabaseClient, name: string, args: object): Promise<void> {
  const { error } = await database.rpc(name, args);
  if (error) throw new Error(error.message);
}

/** Who saves posts: the product's API with people's tokens, or the plain program's. */
export interface Saver {
  url: string;
  path: (postId: string) => string;
  token: (caller: number) => string;
}

export const throughProduct = ({ url }: StackFile, { people }: Place): Saver => ({
  url,
  path: (id) => `/api/posts/${id}`,
  token: (caller) => people[caller]!.token,
});

export const throughPlainProgram = ({ url }: PlainProgram): Saver => ({ url, path: (id) => `/posts/${id}`, token: () => "none" });

/** Version-checked saves by `callers` people at once, each in a post of his own, for some milliseconds. */
export async function saves(saver: Saver, { postIds }: Place, callers: number, ms: number): Promise<{ perSecond: number; p99: number }> {
  const times: number[] = [];
  const began = performance.now();
  const end = began + ms;
  const save = async (caller: number) => {
    const path = saver.path(postIds[caller]!);
    const token = saver.token(caller);
    let { version } = (await api(saver, token, "GET", path)).post as unknown as { version: number };
    for (let round = 0; performance.now() < end; round++) {
      times.push(
        await timed(async () => {
          const body = { content_raw: JSON.stringify(content(round + Math.random())), version };
          ({ version } = (await api(saver, token, "PUT", path, body)).post as unknown as { version: number });
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => save(caller)));
  return { perSecond: (times.length * 1_000) / (performance.now() - began), p99: quantile(times, 0.99) };
}

/** The same saves by the product and by the plain program in turns; medians of the rounds. */
export async function compareSaves(product: Saver, plain: Saver, place: Place, callers: number, rounds: number) {
  const found = { ours: { perSecond: [] as number[], p99: [] as number[] }, theirs: { perSecond: [] as number[], p99: [] as number[] } };
  for (let round = 0; round < rounds; round++) {
    for (const [who, saver] of [
      ["ours", product],
      ["theirs", plain],
    ] as const) {
      const { perSecond, p99 } = await saves(saver, place, callers, saveRoundMs);
      found[who].perSecond.push(perSecond);
      found[who].p99.push(p99);
    }
  }
  const middle = ({ perSecond, p99 }: (typeof found)["ours"]) => ({ perSecond: median(perSecond), p99: median(p99) });
  return { ours: middle(found.ours), theirs: middle(found.theirs) };
}
