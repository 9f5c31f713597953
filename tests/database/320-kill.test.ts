import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import { type RunningStack, startStack } from "../support/stack.ts";
import { committedAs, newPlace } from "./support/committed.ts";
import { words } from "./support/world.ts";

/** A stack of its own, writing to disk as in production. */
test("kill -9 of Postgres in a burst of saves: what was acknowledged is there", async () => {
  const stack = await startStack({ env: { TIDINGS_FAST: "0" } });
  try {
    const before = connectTo(stack);
    const { owner, workspace } = await newPlace(before, 0);
    const newPost = () =>
      committedAs(
        before,
        owner,
        async (tx) => (await tx`select id from public.create_post(${workspace}, 'Burst', ${words("0") as never})`)[0]!.id as string,
      );
    const posts = await Promise.all(Array.from({ length: 8 }, newPost));
    await before.end();

    const burst = startBurst(stack, owner, posts);
    await expect.poll(burst.count, { interval: 20, timeout: 60_000 }).toBeGreaterThan(100); // however slow the machine is
    process.kill(stack.pids.postgres, "SIGKILL");
    const acknowledged = await burst.acknowledged;

    const after = connectTo(stack);
    const present = await untilBack(
      () => after`
        select from jsonb_to_recordset(${acknowledged as never}) as a (post uuid, version int, title text)
        join public.post_revisions r on r.post_id = a.post and r.version = a.version and r.title = a.title`,
    );
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(present).toHaveLength(acknowledged.length);
    const torn = await after`
      select p.id from public.posts p left join public.post_revisions r on r.post_id = p.id and r.version = p.version
      where p.workspace_id = ${workspace} and r.title is distinct from p.title`;
    expect(torn).toHaveLength(0);
    await after.end();
  } finally {
    await stack.stop();
  }
});

const connectTo = ({ dbUrl }: RunningStack) => postgres(dbUrl, { max: 4, onnotice: () => {}, backoff: () => 0.1, connect_timeout: 3 });

/** How many saves the burst has seen acknowledged so far, and every one, once it has ended. */
function startBurst(stack: RunningStack, owner: string, posts: string[]): { count: () => number; acknowledged: Promise<unknown[]> } {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "support/burst.ts"), stack.dbUrl, owner, ...posts], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const lines = () => output.split("\n").filter((line) => line.endsWith("}"));
  const ended = new Promise((resolve) => child.once("close", resolve));
  return { count: () => lines().length, acknowledged: ended.then(() => lines().map((line) => JSON.parse(line) as unknown)) };
}

async function untilBack<T>(query: () => PromiseLike<T>): Promise<T> {
  for (const end = Date.now() + 20_000; ; await wait(100)) {
    try {
      return await query();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
