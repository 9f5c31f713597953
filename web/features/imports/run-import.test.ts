import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ImportedPost } from "#contract/imports.ts";
import { titleMaxLength } from "#contract/limits.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { importId, importServer } from "../../../tests/support/web/import-server.ts";
import { type Asked, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";
import { runImport } from "./run-import.ts";

const path = `/api/workspaces/${ids.acme}/imports/*/entries`;
const sentIn = (asked: Asked) => (asked.body as { entries: ImportedPost[] }).entries;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** An import whose server rejects posts as `refuses` says. */
async function importing(titles: string[], refuses: (sent: ImportedPost[]) => unknown) {
  const server = importServer();
  const write = server.stubs[`PUT ${path}`] as (asked: Asked) => unknown;
  const calls: number[] = [];
  stubApi({
    ...server.stubs,
    [`PUT ${path}`]: (asked: Asked) => {
      calls.push(sentIn(asked).length);
      return refuses(sentIn(asked)) ?? write(asked);
    },
  });
  const posts = titles.map((title, place) => ({
    post: { external_id: `${place}`, fingerprint: "0".repeat(64), title, blocks: [], status: "published" as const, slug: "wrong" },
    ...{ losses: [], images: [], problem: null },
  }));
  const work = runImport(
    {
      ...{ workspaceId: ids.acme, run: { id: importId, name: "", total: posts.length, leftOut: [] }, posts, written: new Set(), failed: 0 },
      ...{ picture: async () => undefined, kept: new Map(), keep: async () => undefined },
    },
    new AbortController().signal,
    () => undefined,
  );
  await vi.advanceTimersByTimeAsync(120_000);
  return { ...(await work), calls, written: server.written };
}
const names = (count: number) => Array.from({ length: count }, (_, place) => `Post ${place}`);

test("runImport halves batches that are too large for the server", async () => {
  const { calls, written } = await importing(names(40), (sent) => (sent.length > 10 ? refusal("unavailable") : undefined));
  expect(calls).toEqual([25, 25, 13, 13, 7, 7, 7, 4, 15, 15, 8, 7]);
  expect(written.map(({ title }) => title)).toEqual(names(40));
});

test("runImport doesn't halve after a single failure", async () => {
  let fails = 1;
  const { calls } = await importing(names(25), () => (fails-- > 0 ? refusal("unavailable") : undefined));
  expect(calls).toEqual([25, 25]);
});

test("runImport records a rejected post with its title and reason", async () => {
  const long = "x".repeat(titleMaxLength + 50);
  const { entries, written } = await importing(["Good", long, "Good too"], (sent) =>
    sent.some(({ title, problem }) => title === long && problem === undefined)
      ? refusal("validation_failed", { "entries.0.slug": "This URL is too long" })
      : undefined,
  );
  expect(written.map(({ title }) => title)).toEqual(["Good", expect.stringMatching(/^x+…$/), "Good too"]);
  expect(written[1]).toEqual({
    ...{ external_id: "1", fingerprint: "0".repeat(64), status: "published", blocks: [] },
    ...{ title: `${"x".repeat(titleMaxLength - 1)}…`, problem: "This URL is too long" },
  });
  expect(entries.map(({ outcome, problem }) => [outcome, problem])).toEqual([
    ["made", null],
    ["failed", "This URL is too long"],
    ["made", null],
  ]);
});
