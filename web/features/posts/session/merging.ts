import type { Merge } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { ask } from "./asking.ts";
import type { Together } from "./bring-together.ts";
import { finish, read } from "./jobs.ts";
import { intentOf, type Attempt, type State, type Taking, type Work } from "./state.ts";
import { clearDraft, wait, type Turn } from "./turn.ts";
import { versionOf } from "./versions.ts";
import { isSameCover, isSameSummary, isSameTags, type Writing } from "./write.ts";

// A newer version is taken into what is unsaved here. Source: docs/decisions/0024-merging-by-block.md.

/** What a colleague saved stands on the screen; what was written here in that moment stands with it. */
export function onShown(turn: Turn, done: boolean): void {
  const { state } = turn;
  const { phase, server } = state;
  if (phase.at === "placing") return onPlaced(turn, phase, done);
  if (phase.at !== "showing") return;
  const { post, work } = phase;
  if (!done) return takeIn(turn, work, post);
  if (server) {
    if (state.title === server.title) state.title = post.title;
    if (isSameTags(state.tags, server.tags)) state.tags = post.tags;
    if (isSameSummary(state.summary, server.summary)) state.summary = post.summary ?? "";
    if (isSameCover(state.cover, server.cover_image)) state.cover = post.cover_image;
  }
  state.server = post;
  state.newer = state.base = state.open = null;
  finish(turn, work.job, true);
}

/** While somebody types, so often at most; then it is left to the next rest. */
const mostTries = 12;
/** Whoever comes too late so often is asked; a save that nobody asked for has its next rest. */
const mostMerges = 12;
const breathMs = 40;

/** Whether a text can be merged into a newer version: one that is archived takes nothing. */
export const isMergeable = ({ server }: State, theirs: Post): boolean => server?.status !== "archived" && theirs.status !== "archived";

/** Whether what would be done is another thing by now: then it is for the person to say. What was a draft may have readers. */
function isAnotherMatter({ server }: State, { job }: Work, theirs: Post): boolean {
  if (server && theirs.status !== server.status && theirs.status !== "draft") return true;
  if (job.do === "follow") return false;
  const { kind } = intentOf(job);
  return kind === "publish" || kind === "schedule";
}

/** Over unsaved words, unless its status says that these are another matter now. */
export function takeIn(turn: Turn, work: Work, theirs: Post): void {
  const { state } = turn;
  if (isMergeable(state, theirs) && !isAnotherMatter(state, work, theirs)) {
    return read(turn, { ...work, taking: { theirs, refused: null, choices: null, tries: 0 } });
  }
  state.newer = theirs;
  finish(turn, work.job, false);
}

export function bringTogether({ state, commands }: Turn, work: Work, taking: Taking, writing: Writing): void {
  const { theirs, choices } = taking;
  state.phase = { at: "merging", work, taking, writing };
  commands.push({ do: "merge", base: state.base ?? state.server ?? theirs, writing, theirs, choices });
}

export function onMerged(turn: Turn, together: Together | null): void {
  const { state, commands } = turn;
  const { phase } = state;
  if (phase.at !== "merging") return;
  const { work, taking, writing } = phase;
  if (!together) return giveUp(turn, work, taking, null);
  const decided = taking.choices !== null; // the person has seen this version
  const late = (work.merges ?? 0) >= mostMerges;
  if (work.job.do !== "follow" && (together.open || (!decided && (late || isAnotherMatter(state, work, taking.theirs))))) {
    return giveUp(turn, work, taking, together.merge);
  }
  state.phase = { at: "placing", work, taking, writing, together };
  if (together.content) commands.push({ do: "place", from: writing.content, content: together.content });
  else onPlaced(turn, state.phase, true);
}

function onPlaced(turn: Turn, { work, taking, writing, together }: State["phase"] & { at: "placing" }, done: boolean): void {
  const { state } = turn;
  if (!done) return again(turn, work, taking);
  const { server } = state;
  const raced = takeFields(state, writing, together.fields);
  if (together.base || raced.length > 0) {
    const theirs = together.base ?? versionOf(taking.theirs);
    const before = state.base ?? (server && versionOf(server)) ?? theirs;
    state.base = { ...theirs, ...Object.fromEntries(raced.map((field) => [field, before[field]])) };
    state.newer = taking.theirs;
    state.open = together.open;
    if (raced.length > 0) return again(turn, work, taking);
    return finish(turn, work.job, true);
  }
  state.server = taking.theirs;
  state.newer = state.base = state.open = null;
  state.declined = false;
  const { taking: _, ...rest } = work;
  if (work.job.do === "follow") {
    if (together.isTheirs && state.changes === writing.changes && state.uploads === 0) {
      state.savedChanges = state.changes; // both wrote the same
      clearDraft(turn);
    }
    return finish(turn, work.job, true);
  }
  const names = [...new Set([...(work.merged?.names ?? []), taking.theirs.updated_by_name ?? "somebody"])];
  const merged = { names, from: work.merged?.from ?? server?.version ?? taking.theirs.version };
  read(turn, { ...rest, merged, merges: (work.merges ?? 0) + 1 });
}

/** What of it was typed in meanwhile stays as it is, and is merged once more. */
function takeFields(state: State, writing: Writing, { title, tags, summary, cover }: Together["fields"]): (keyof Together["fields"])[] {
  const typed = {
    title: state.title !== writing.title,
    tags: !isSameTags(state.tags, writing.tags),
    summary: state.summary !== writing.summary,
    cover: !isSameCover(state.cover, writing.cover),
  };
  if (title !== undefined && !typed.title) state.title = title;
  if (tags !== undefined && !typed.tags) state.tags = tags;
  if (summary !== undefined && !typed.summary) state.summary = summary;
  if (cover !== undefined && !typed.cover) state.cover = cover;
  const taken = { title, tags, summary, cover };
  return (["title", "tags", "summary", "cover"] as const).filter((field) => typed[field] && taken[field] !== undefined);
}

/** Somebody types: a moment later it may go. */
function again(turn: Turn, work: Work, taking: Taking): void {
  const tries = taking.tries + 1;
  if (tries >= mostTries) return giveUp(turn, work, taking, null);
  read(turn, { ...work, taking: { ...taking, tries } });
}

/** Not merged: the person is asked, or told that there is a newer version. */
export function giveUp(turn: Turn, work: Work, { theirs, refused }: Taking, merge: Merge | null): void {
  const { state } = turn;
  const { job } = work;
  if (job.do === "merge") return ask(turn, work, job.conflict.mine, null, theirs, merge);
  if (refused) return ask(turn, work, refused.attempt.writing, refused.error, theirs, merge);
  state.newer = theirs;
  finish(turn, job, false);
}

export function compare({ state, commands }: Turn, work: Work, attempt: Attempt, error: ApiError): void {
  state.phase = { at: "comparing", work, attempt, error };
  if (attempt.request.id !== null) commands.push({ do: "look", postId: attempt.request.id });
}

/** Many save at once: each waits for a while of its own, so that not all of them come back at the same moment. */
export function yieldFirst(turn: Turn, work: Work, attempt: Attempt, error: ApiError): void {
  const { state } = turn;
  const merges = work.merges ?? 0;
  if (merges >= mostMerges && work.job.id === null) {
    if (!state.running.autosave) wait(turn, "autosave", state.restMs); // at the next rest
    return finish(turn, work.job, false);
  }
  if (state.left || merges >= mostMerges) return compare(turn, work, attempt, error);
  state.phase = { at: "yielding", work, attempt, error };
  wait(turn, "again", breathMs + (sumOf(attempt.key) % (breathMs * 2 ** Math.min(merges, 5))));
}

/** A number that follows from a write's name: the machine itself throws no dice. */
const sumOf = (name: string): number => [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)!) >>> 0, 7);

export function onYielded(turn: Turn): void {
  const { phase } = turn.state;
  if (phase.at === "yielding") compare(turn, phase.work, phase.attempt, phase.error);
}
