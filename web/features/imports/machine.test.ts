import { describe, expect, test } from "vitest";
import type { ImportedEntry, WorkspaceImport } from "#contract/imports.ts";
import { type Event, isWorking, start, type State, step } from "./machine.ts";
import { type ImportSourceContent, type SourcePost, nameNotes, type Preview } from "./preview.ts";

const post = (state: SourcePost["state"], problem: string | null = null): SourcePost => ({
  post: {
    external_id: `a ${state}`,
    fingerprint: "0".repeat(64),
    title: state,
    summary: null,
    blocks: [],
    tags: ["Added"],
    status: "published",
  },
  ...{ losses: [], images: [], problem, state, postId: null, version: null },
});
const found: ImportSourceContent = {
  ...{ source: "changelog", name: "CHANGELOG.md", isNamed: true, wantsAddress: false, notes: [], leftOut: [], pictures: new Map() },
  posts: [post("new"), post("same"), post("there"), post("here"), post("both"), post("gone"), post("new", "It is too long")],
};
const preview: Preview = { found, ticked: new Set([0, 2]), tags: new Map([["Added", { kind: "new" }]]), dates: "original" };
const run = { id: "1", name: "CHANGELOG.md", total: 2, leftOut: ["1 section"] };
const result: WorkspaceImport = {
  ...{ id: "1", source: "changelog", name: "CHANGELOG.md", created_at: "2026-01-05T09:00:00.000Z", created_by_name: "Ada" },
  ...{ total: 2, made: 1, replaced: 0, failed: 1, finished_at: null, undone_at: null, left: 0 },
};
const entries: ImportedEntry[] = [{ external_id: "a", title: "A", outcome: "made", post_id: null, problem: null }];

test("import machine selects only new posts of an unnamed source, with a note", () => {
  const ticked = (isNamed: boolean) => {
    const next = step(states.reading, { type: "found", found: { ...found, isNamed }, tags: preview.tags });
    return next.at === "previewing" ? [...next.preview.ticked] : null;
  };
  expect([ticked(true), ticked(false)]).toEqual([[0, 2], [0]]);
  const notes = (isNamed: boolean, ...found: SourcePost["state"][]) =>
    nameNotes(
      isNamed,
      found.map((state) => ({ state })),
    ).length;
  expect([notes(false, "new", "there"), notes(false, "both"), notes(false, "new", "same", "here", "gone"), notes(true, "there")]).toEqual([
    1, 1, 0, 0,
  ]);
});

const states = {
  choosing: start,
  failed: { at: "failed", problem: "No" },
  reading: { at: "reading", name: "CHANGELOG.md", phase: "reading", done: 0, of: null, waiting: null },
  previewing: { at: "previewing", preview, problem: null },
  preparing: { at: "preparing", preview, waiting: null },
  keeping: { at: "keeping", run, done: 1, of: 3, waiting: null },
  writing: { at: "writing", run, progress: { done: 1, of: 2, failed: 0 }, waiting: null },
  interrupted: { at: "interrupted", run, done: 1, problem: "Cut off" },
  done: { at: "done", result, entries, lost: [], leftOut: run.leftOut },
} satisfies Record<State["at"], State>;

const events = {
  chosen: { type: "chosen", name: "posts.zip", phase: "reading" },
  "read on": { type: "read on", phase: "comparing", done: 2, of: 7 },
  found: { type: "found", found, tags: preview.tags },
  refused: { type: "refused", problem: "It has no posts" },
  back: { type: "back" },
  ticked: { type: "ticked", places: [1, 6], on: true },
  only: { type: "only", places: [0, 6] },
  tag: { type: "tag", name: "Added", target: { kind: "none" } },
  dates: { type: "dates", dates: "drafts" },
  dated: { type: "dated", given: new Map([[0, "2020-01-05T00:00:00.000Z"]]) },
  start: { type: "start" },
  begun: { type: "begun", run, pictures: 3, done: 0 },
  kept: { type: "kept", done: 2, of: 3 },
  wrote: { type: "wrote", progress: { done: 2, of: 2, failed: 1 } },
  waits: { type: "waits", waiting: { why: "offline" } },
  stopped: { type: "stopped", done: 1, problem: null },
  finished: { type: "finished", result, entries, lost: [] },
} satisfies Record<Event["type"], Event>;

const chosen: State = { at: "reading", name: "posts.zip", phase: "reading", done: 0, of: null, waiting: null };
const begun: State = { at: "keeping", run, done: 0, of: 3, waiting: null };
const wrote: State = { at: "writing", run, progress: events.wrote.progress, waiting: null };
const offline = { waiting: { why: "offline" as const } };
const stopped: State = { at: "interrupted", run, done: 1, problem: null };
const { done } = states;

/** State after each event in each state; unlisted events change nothing. */
const table: Partial<Record<State["at"], Partial<Record<Event["type"], State>>>> = {
  choosing: { chosen, begun, refused: { at: "failed", problem: "It has no posts" } },
  failed: { chosen, back: start, begun, refused: { at: "failed", problem: "It has no posts" } },
  reading: {
    chosen,
    "read on": { ...states.reading, phase: "comparing", done: 2, of: 7 },
    found: { at: "previewing", preview, problem: null },
    waits: { ...states.reading, ...offline },
    refused: { at: "failed", problem: "It has no posts" },
    back: start,
  },
  previewing: {
    chosen,
    back: start,
    ticked: { ...states.previewing, preview: { ...preview, ticked: new Set([0, 2, 1]) } },
    only: { ...states.previewing, preview: { ...preview, ticked: new Set([0]) } },
    tag: { ...states.previewing, preview: { ...preview, tags: new Map([["Added", { kind: "none" }]]) } },
    dates: { ...states.previewing, preview: { ...preview, dates: "drafts" } },
    dated: states.previewing, // all these posts have dates
    start: states.preparing,
  },
  preparing: {
    refused: { at: "previewing", preview, problem: "It has no posts" },
    begun,
    waits: { ...states.preparing, ...offline },
  },
  keeping: { kept: { ...states.keeping, done: 2 }, wrote, waits: { ...states.keeping, ...offline }, stopped, finished: done },
  writing: { wrote, waits: { ...states.writing, ...offline }, stopped, finished: done },
  interrupted: { chosen, back: start, begun },
  done: { chosen, back: start, begun },
};

describe.each(Object.values(states))("$at", (state) => {
  test.each(Object.values(events))("handles $type", (event) => {
    expect(step(state, event)).toEqual(table[state.at]?.[event.type] ?? state);
  });
});

test("import machine writes at once without images", () => {
  const state = step(states.preparing, { ...events.begun, pictures: 0, done: 1 });
  expect(state).toEqual({ at: "writing", run, progress: { done: 1, of: 2, failed: 0 }, waiting: null });
});

test("import machine doesn't start without selected posts", () => {
  const none = step(states.previewing, { type: "ticked", places: [0, 2], on: false });
  expect(none.at === "previewing" && none.preview.ticked.size).toBe(0);
  expect(step(none, events.start)).toBe(none);
});

test("import machine clears the error on a change", () => {
  const said: State = { ...states.previewing, problem: "Too many imports" };
  expect(step(said, events.dates)).toMatchObject({ problem: null });
});

test("import machine is working only while importing", () => {
  expect(
    Object.values(states)
      .filter(isWorking)
      .map(({ at }) => at),
  ).toEqual(["preparing", "keeping", "writing"]);
});
