import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { StackFile } from "../../support/stack.ts";
import { processesOf } from "../../faults/support/processes.ts";
import { processorMs } from "../plain/processor.ts";
import type { PlainProgram } from "../plain/start.ts";
import { inPairs, type Pair, quantile } from "../report.ts";
import type { Place } from "./people.ts";

const content = (round: number) => ({
  time: 0,
  blocks: [{ type: "paragraph", data: { text: `Words of round ${round}.` } }],
  version: "2.28.2",
});

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

/** Extra time of the function's calls over the same supabase-js calls made directly, interleaved. */
export async function measureOverhead(
  stack: StackFile,
  { workspaceId, postIds, people }: Place,
  rounds: number,
): Promise<Record<string, Pair>> {
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
  const result: Record<string, Pair> = {};
  for (const [name, [throughApi, directly]] of Object.entries(pairs)) {
    const times = { api: [] as number[], direct: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      times.api.push(await timed(throughApi));
      times.direct.push(await timed(() => directly(round)));
    }
    result[name] = inPairs(times.api, times.direct, "ms", "directly");
  }
  return result;
}

async function direct(database: SupabaseClient, name: string, args: object): Promise<void> {
  const { error } = await database.rpc(name, args);
  if (error) throw new Error(error.message);
}

export interface Saver {
  url: string;
  pids: number[];
  path: (postId: string) => string;
  token: (caller: number) => string;
}

export const throughProduct = (stack: StackFile, { people }: Place): Saver => ({
  url: stack.url,
  pids: processesOf(stack),
  path: (id) => `/api/posts/${id}`,
  token: (caller) => people[caller]!.token,
});

export const throughPlainProgram = (stack: StackFile, { url, pids }: PlainProgram): Saver => ({
  url,
  pids: [...processesOf(stack), ...pids],
  path: (id) => `/posts/${id}`,
  token: () => "none",
});

export interface Saves {
  perSecond: number;
  p99: number;
  work: number;
}

export async function saves(saver: Saver, { postIds }: Place, callers: number, ms: number): Promise<Saves> {
  const times: number[] = [];
  const before = processorMs(saver.pids);
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
  const work = (processorMs(saver.pids) - before) / times.length;
  return { perSecond: (times.length * 1_000) / (performance.now() - began), p99: quantile(times, 0.99), work };
}

export async function compareSaves(
  product: Saver,
  plain: Saver,
  place: Place,
  callers: number,
  rounds: number,
): Promise<Record<keyof Saves, Pair>> {
  const [ours, theirs]: Saves[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours!.push(await saves(product, place, callers, saveRoundMs));
    theirs!.push(await saves(plain, place, callers, saveRoundMs));
  }
  const pair = (of: keyof Saves, unit: string): Pair =>
    inPairs(
      ours!.map((one) => one[of]),
      theirs!.map((one) => one[of]),
      unit,
      "plain program",
    );
  return { perSecond: pair("perSecond", "/s"), p99: pair("p99", "ms"), work: pair("work", "ms") };
}
