import { expect, test } from "vitest";
import type { PreparedPost } from "../entry.ts";
import type { EntryState } from "#contract/imports.ts";
import { entryStates } from "./entry-states.ts";

const post = (external_id: string, formerFingerprint?: string): PreparedPost => ({
  post: { external_id, fingerprint: "new", title: external_id, blocks: [], status: "published" },
  ...(formerFingerprint === undefined ? {} : { formerFingerprint }),
  ...{ losses: [], images: [], problem: null },
});

test("a changed fingerprint algorithm doesn't mark our own posts as changed", async () => {
  const stored: Record<string, string> = { now: "new", before: "old", changed: "other", feed: "other" };
  const asked: number[] = [];
  const states = await entryStates([post("now", "old"), post("before", "old"), post("changed", "old"), post("feed")], async (entries) => {
    asked.push(entries.length);
    return entries.map(({ external_id, fingerprint }) => {
      const state: EntryState = stored[external_id] === fingerprint ? "same" : "there";
      return { external_id, state, post_id: null, version: null, title: null };
    });
  });
  expect(states.map(({ state }) => state)).toEqual(["same", "same", "there", "there"]);
  expect(asked).toEqual([4, 2]);
});
