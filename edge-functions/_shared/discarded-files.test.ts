import { expect, test, vi } from "vitest";
import { removeDiscardedFiles } from "./discarded-files.ts";
import type { Env } from "./env.ts";

const env = { supabaseUrl: "http://database.example", secretKey: "secret" } as Env;

function waiting(count: number, { lookMs = 0 } = {}) {
  vi.useFakeTimers({ toFake: ["Date"] });
  const files = Array.from({ length: count }, (_, number) => ({ bucket: "post-images", path: `${number}.png` }));
  const removed: string[] = [];
  vi.stubGlobal("fetch", async (input: string | URL, { method, body }: { method: string; body: string }) => {
    const asked = JSON.parse(body) as { max_rows: number; prefixes: string[]; paths: string[] };
    const call = `${method} ${new URL(input).pathname}`;
    if (call === "POST /rest/v1/rpc/discarded_files") {
      vi.setSystemTime(Date.now() + lookMs);
      return Response.json(files.slice(0, asked.max_rows));
    }
    if (call === "DELETE /storage/v1/object/post-images") {
      removed.push(...asked.prefixes);
      return Response.json([]);
    }
    expect(call).toBe("POST /rest/v1/rpc/forget_discarded_files");
    expect(removed).toEqual(expect.arrayContaining(asked.paths));
    return Response.json(files.splice(0, asked.paths.length).length);
  });
  return { files, removed };
}

test("one call removes all of 250 files", async () => {
  const { files, removed } = waiting(250);
  await removeDiscardedFiles(env);
  expect([files.length, new Set(removed).size]).toEqual([0, 250]);
});

test("with slow removals, the rest after three seconds is left to the next call", async () => {
  const { files } = waiting(450, { lookMs: 2_000 });
  await removeDiscardedFiles(env);
  expect(files).toHaveLength(250);
  await removeDiscardedFiles(env);
  expect(files).toHaveLength(50);
});
