import type { ImportedEntry, WorkspaceImport } from "#contract/imports.ts";
import type { Waiting } from "../../lib/retry.ts";
import { canBeTicked, type Dates, type ImportSourceContent, isTickedAtFirst, type Preview } from "./preview.ts";
import type { TagMapping, TagTarget } from "#importers/preview/tag-mapping.ts";
import { type GivenDates, withDate } from "#importers/preview/undated.ts";

export interface LostPicture {
  url: string;
  problem: string;
}

export interface Run {
  id: string;
  name: string;
  total: number;
  /** Content left out of all posts. */
  leftOut: readonly string[];
}

/** `failed`: posts the server rejected. */
export interface Progress {
  done: number;
  of: number;
  failed: number;
}

interface Outcome {
  result: WorkspaceImport;
  entries: readonly ImportedEntry[];
  lost: readonly LostPicture[];
}

export type State =
  | { at: "choosing" }
  | { at: "failed"; problem: string }
  /** `of` is null while unknown. */
  | { at: "reading"; name: string; phase: "asking" | "reading" | "comparing"; done: number; of: number | null; waiting: Waiting | null }
  | { at: "previewing"; preview: Preview; problem: string | null }
  /** Creating tags; can still fail without effects. */
  | { at: "preparing"; preview: Preview; waiting: Waiting | null }
  | { at: "keeping"; run: Run; done: number; of: number; waiting: Waiting | null }
  | { at: "writing"; run: Run; progress: Progress; waiting: Waiting | null }
  /** Stopped by the user (no problem) or by an error; can continue. */
  | { at: "interrupted"; run: Run; done: number; problem: string | null }
  | ({ at: "done"; leftOut: readonly string[] } & Outcome);

export type Event =
  | { type: "chosen"; name: string; phase: "asking" | "reading" }
  | { type: "read on"; phase: "asking" | "reading" | "comparing"; done: number; of: number | null }
  | { type: "found"; found: ImportSourceContent; tags: TagMapping }
  | { type: "refused"; problem: string }
  | { type: "back" }
  | { type: "ticked"; places: readonly number[]; on: boolean }
  | { type: "only"; places: readonly number[] }
  | { type: "tag"; name: string; target: TagTarget }
  | { type: "dates"; dates: Dates }
  /** For undated posts; others become drafts. */
  | { type: "dated"; given: GivenDates }
  | { type: "start" }
  | { type: "begun"; run: Run; pictures: number; done: number }
  | { type: "kept"; done: number; of: number }
  | { type: "wrote"; progress: Progress }
  | { type: "waits"; waiting: Waiting | null }
  | { type: "stopped"; done: number; problem: string | null }
  | ({ type: "finished" } & Outcome);

export const start: State = { at: "choosing" };

/** True if leaving now would interrupt the import. */
export const isWorking = (state: State): state is Extract<State, { at: "preparing" | "keeping" | "writing" }> =>
  state.at === "preparing" || state.at === "keeping" || state.at === "writing";

/** True if nothing is selected, so another import can start or continue. */
export const isIdle = (state: State): state is Extract<State, { at: "choosing" | "failed" }> =>
  state.at === "choosing" || state.at === "failed";

/** Next state. Race: late events that don't fit the state are ignored. */
export function step(state: State, event: Event): State {
  switch (event.type) {
    case "chosen":
      if (isWorking(state)) return state;
      return { at: "reading", name: event.name, phase: event.phase, done: 0, of: null, waiting: null };
    case "read on":
      return state.at === "reading" ? { ...state, phase: event.phase, done: event.done, of: event.of, waiting: null } : state;
    case "found": {
      if (state.at !== "reading") return state;
      const { found, tags } = event;
      const ticked = new Set(found.posts.flatMap((post, place) => (isTickedAtFirst(post, found.isNamed) ? [place] : [])));
      return { at: "previewing", preview: { found, tags, ticked, dates: "original" }, problem: null };
    }
    case "refused":
      if (state.at === "reading" || isIdle(state)) return { at: "failed", problem: event.problem };
      return state.at === "preparing" ? { at: "previewing", preview: state.preview, problem: event.problem } : state;
    case "back":
      return isWorking(state) ? state : start;
    case "ticked":
      return updatePreview(state, (preview) => ({ ticked: withPlaces(preview, event.places, event.on) }));
    case "only":
      return updatePreview(state, (preview) => ({ ticked: withPlaces({ ...preview, ticked: new Set() }, event.places, true) }));
    case "tag":
      return updatePreview(state, ({ tags }) => ({ tags: new Map(tags).set(event.name, event.target) }));
    case "dates":
      return updatePreview(state, () => ({ dates: event.dates }));
    case "dated":
      return updatePreview(state, ({ found }) => ({
        found: { ...found, posts: found.posts.map((post, place) => withDate(post, event.given.get(place))) },
      }));
    case "start":
      return state.at === "previewing" && state.preview.ticked.size > 0
        ? { at: "preparing", preview: state.preview, waiting: null }
        : state;
    case "begun": {
      if (state.at === "keeping" || state.at === "writing" || state.at === "reading" || state.at === "previewing") return state;
      const { run, pictures, done } = event;
      if (pictures > 0) return { at: "keeping", run, done: 0, of: pictures, waiting: null };
      return { at: "writing", run, progress: { done, of: run.total, failed: 0 }, waiting: null };
    }
    case "kept":
      return state.at === "keeping" ? { ...state, done: event.done, of: event.of, waiting: null } : state;
    case "wrote":
      if (state.at !== "keeping" && state.at !== "writing") return state;
      return { at: "writing", run: state.run, progress: event.progress, waiting: null };
    case "waits":
      return state.at === "reading" || isWorking(state) ? { ...state, waiting: event.waiting } : state;
    case "stopped":
      if (state.at !== "keeping" && state.at !== "writing") return state;
      return { at: "interrupted", run: state.run, done: event.done, problem: event.problem };
    case "finished":
      if (state.at !== "keeping" && state.at !== "writing") return state;
      return { at: "done", result: event.result, entries: event.entries, lost: event.lost, leftOut: state.run.leftOut };
  }
}

/** Updates a preview and clears its error. */
function updatePreview(state: State, change: (preview: Preview) => Partial<Preview>): State {
  if (state.at !== "previewing") return state;
  return { at: "previewing", preview: { ...state.preview, ...change(state.preview) }, problem: null };
}

function withPlaces({ found, ticked }: Pick<Preview, "found" | "ticked">, places: readonly number[], on: boolean): ReadonlySet<number> {
  const changed = new Set(ticked);
  for (const place of places) {
    const post = found.posts[place];
    if (on && post && canBeTicked(post)) changed.add(place);
    else changed.delete(place);
  }
  return changed;
}
