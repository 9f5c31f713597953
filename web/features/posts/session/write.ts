import { boundsProblem } from "#contract/blocks/bounds.ts";
import { isEmpty } from "#contract/blocks/is-empty.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { titleMaxLength } from "#contract/limits.ts";
import { lineOf } from "#contract/rules/line-of.ts";
import type { CoverImage } from "#contract/rules/cover.ts";
import type { CreatePostInput, Post, PostSummary, UpdatePostInput } from "#contract/posts.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import type { ApiError } from "../../../lib/api-client.ts";

/** What a person wants to happen with what is on the screen. `autosave` is a save nobody asked for: it says nothing when it succeeds. */
export type Intent =
  | { kind: "save" }
  | { kind: "autosave" }
  /** `notify`: whether readers are told by mail; absent where nobody was asked. */
  | { kind: "publish"; notify?: boolean }
  /** `publishAt` is ISO 8601 with a zone. */
  | { kind: "schedule"; publishAt: string; notify?: boolean }
  | { kind: "unschedule" }
  /** Brings an archived post back as a draft. */
  | { kind: "restore" };

/** Intents that only bring the text to the server and change no status. */
export const isSaving = ({ kind }: Intent): boolean => kind === "save" || kind === "autosave";

/** Whether doing one does the other too. What a person saves is complete, and stays in the history. */
export const isSameIntent = (one: Intent, other: Intent): boolean =>
  (isSaving(one) && other.kind === "autosave") || JSON.stringify(one) === JSON.stringify(other);

/** What is on the screen. */
export interface Writing {
  title: string;
  tags: string[];
  /** As it is typed; blank: none. */
  summary: string;
  cover: CoverImage;
  content: EditorOutput;
  /** How many changes it includes; more may have come since it was read. */
  changes: number;
}

/** A short title and one sentence, as toasts show them. */
export interface Notice {
  title: string;
  description?: string;
  /** It can be compared with this version of the post. */
  compare?: number;
  /** It was done, but not all that one would expect comes of it. */
  isWarning?: boolean;
}

export const lockedNotice: Notice = {
  title: "Cannot schedule a published post",
  description: "Published posts cannot be scheduled or moved back to draft status",
};

const askSupport = "Please try again or contact support";

/** Why this cannot be sent, or null. `post` is null for a post that was never saved. Source: specification, section 5. */
export function writingProblem(writing: Writing, intent: Intent, post: Post | null, now: Date): Notice | null {
  const untitled = writing.title.trim() === "";
  const blank = isEmpty(writing.content);
  if (intent.kind === "unschedule") {
    if (post === null) return { title: "Unable to cancel schedule" };
    if (untitled || blank)
      return { title: "Unable to cancel schedule", description: "Title and content are required to cancel scheduling" };
  }
  const live = post !== null && statusAt(post, now) === "published";
  if (live && (intent.kind === "schedule" || intent.kind === "unschedule")) {
    return lockedNotice;
  }
  const complete = intent.kind !== "autosave"; // a draft saves itself as it stands
  if (untitled && complete) return { title: "Title is required", description: "Please add a title to your post" };
  if (writing.title.trim().length > titleMaxLength) {
    return { title: "The title is too long", description: `A title has at most ${titleMaxLength} characters` };
  }
  if (blank && complete) return { title: "Content is required", description: "Please add some content to your post" };
  const tooMuch = boundsProblem(writing.content);
  return tooMuch === null ? null : { title: "The post is too long", description: tooMuch };
}

/** Nothing was written: not worth a post. */
export const isNothing = ({ title, tags, summary, cover, content }: Writing): boolean =>
  title.trim() === "" && tags.length === 0 && lineOf(summary) === "" && cover === null && isEmpty(content);

/** Whether a post is what a write makes of it; what was scheduled may have gone live at its time. */
export function isOutcomeOf({ title, content }: Writing, intent: Intent, post: Post): boolean {
  const { status = post.status } = statusFields(intent);
  const isSo = intent.kind === "schedule" ? isAtTime(post, intent.publishAt) : post.status === status;
  return isSo && post.title === title.trim() && blocksOf(post) === JSON.stringify(content.blocks);
}

const isAtTime = ({ status, publish_at: at }: Post, wanted: string): boolean =>
  (status === "scheduled" || status === "published") && at !== null && Date.parse(at) === Date.parse(wanted);

/** Whether the server has what an earlier visit left behind; what is absent there was not written. */
export const isSaved = (
  { title, tags, summary, cover, content }: Pick<Writing, "title" | "tags" | "content"> & Partial<Writing>,
  post: Post | null,
): boolean =>
  post !== null &&
  post.title === title.trim() &&
  isSameTags(tags, post.tags) &&
  (summary === undefined || isSameSummary(summary, post.summary)) &&
  (cover === undefined || isSameCover(cover, post.cover_image)) &&
  blocksOf(post) === JSON.stringify(content.blocks);

const blocksOf = ({ content_raw }: Post): string => JSON.stringify(parseBlocks(content_raw)?.blocks);

/** Whether both are the same tags in the same order. */
export const isSameTags = (one: readonly string[], other: readonly string[]): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether a summary as it is typed is one that the server has. */
export const isSameSummary = (typed: string, stored: string | null): boolean => lineOf(typed) === (stored ?? "");
const coverText = (cover: CoverImage): string =>
  JSON.stringify(cover === null || cover === "none" ? cover : [cover.url, lineOf(cover.alt), cover.width, cover.height]);
export const isSameCover = (one: CoverImage, other: CoverImage): boolean => coverText(one) === coverText(other);

/** Whether both say the same, whatever became of the post. */
export const isSameText = (one: Post, other: Post): boolean =>
  one.title === other.title &&
  one.summary === other.summary &&
  isSameCover(one.cover_image, other.cover_image) &&
  isSameTags(one.tags, other.tags) &&
  blocksOf(one) === blocksOf(other);

/** Whether the publisher may have made the newer one: the scheduled time has come, nobody decided anything. */
const isPublishedOnTime = (before: PostSummary, after: PostSummary): boolean =>
  before.status === "scheduled" && after.status === "published" && before.publish_at !== null && after.publish_at === before.publish_at;

/** Whether only what stands around the text may be another: its address, its date of publication, whom readers are told. */
const isMoved = (before: PostSummary, after: PostSummary): boolean =>
  before.status === after.status &&
  (before.slug !== after.slug || before.published_at !== after.published_at || before.author_name !== after.author_name);

/** Whether a newer version with the same text is taken over without asking the writer. */
export const isNoMatter = (before: PostSummary, after: PostSummary): boolean => isPublishedOnTime(before, after) || isMoved(before, after);

/** A call that saves: without `id` it makes the post. */
export type Request = { id: null; body: CreatePostInput } | { id: string; body: UpdatePostInput };

/** The body that creates a post: a draft, or scheduled, or published at once. */
export function createBody({ title, tags, summary, cover, content }: Writing, intent: Intent, workspaceId: string): CreatePostInput {
  const details = { summary: lineOf(summary) || undefined, cover_image: cover ?? undefined };
  const state = { status: "draft" as const, publish_at: null, ...statusFields(intent) };
  return { title, tags, ...details, blocks: content, workspace_id: workspaceId, ...state, ...markOf(intent) };
}

const markOf = ({ kind }: Intent): { autosave?: true } => (kind === "autosave" ? { autosave: true } : {});

/**
 * The body that saves a post. Without `version` it overwrites whatever is there: 'Save anyway' only. Tags, summary and cover that were not
 * changed since `base` are left out, so that a colleague's stay. A plain save names status and time as they are, which the version vouches for.
 */
export function updateBody(
  { title, tags, summary, cover, content }: Writing,
  intent: Intent,
  version: number | undefined,
  base: Post,
): UpdatePostInput {
  return {
    title,
    tags: isSameTags(tags, base.tags) ? undefined : tags,
    summary: isSameSummary(summary, base.summary) ? undefined : lineOf(summary) || null,
    cover_image: isSameCover(cover, base.cover_image) ? undefined : cover,
    content_raw: JSON.stringify(content),
    version,
    ...(intent.kind === "save" && version !== undefined ? stateOf(base) : statusFields(intent)),
    ...(intent.kind === "publish" && { workspace_id: base.workspace_id }),
    ...markOf(intent),
  };
}

const stateOf = ({ status, publish_at }: Post): Pick<UpdatePostInput, "status" | "publish_at"> =>
  status === "archived" ? {} : { status, publish_at };

function statusFields(intent: Intent): Pick<UpdatePostInput, "status" | "notify"> & { publish_at?: string | null } {
  switch (intent.kind) {
    case "publish":
      return { status: "published", notify: intent.notify };
    case "schedule":
      return { status: "scheduled", publish_at: intent.publishAt, notify: intent.notify };
    case "unschedule":
      return { status: "draft", publish_at: null };
    case "restore":
      return { status: "draft" };
    default:
      return {}; // a save leaves status and schedule as they are
  }
}

/** What is said after success; null when nothing is. Source: specification, section 8. */
export function successNotice(intent: Intent, created: boolean, isPublic = true): Notice | null {
  switch (intent.kind) {
    case "save":
      return created ? { title: "Draft saved", description: "Your post has been saved as a draft" } : { title: "Saved" };
    case "publish":
      return isPublic
        ? { title: "Post published", description: "Your post is now live" }
        : { title: "Post published", description: "Readers will see it once your public changelog is on", isWarning: true };
    case "schedule":
      return { title: "Post scheduled", description: "Your post has been scheduled for publication" };
    case "unschedule":
      return { title: "Scheduling removed", description: "Post has been returned to draft status" };
    case "restore":
      return { title: "Post restored", description: "Post has been returned to draft status" };
    case "autosave":
      return null;
  }
}

/** What was done, and with whose changes. */
export function mergedNotice(notice: Notice | null, merged: { names: readonly string[]; from: number } | undefined): Notice | null {
  if (!merged) return notice;
  const names = new Intl.ListFormat("en").format(merged.names);
  const words = `Merged with ${names}'s changes`;
  if (!notice) return { title: words, compare: merged.from };
  return { ...notice, description: notice.description ? `${words}. ${notice.description}` : words, compare: merged.from };
}

/** What is said when a new post was kept but not published or scheduled, because no answer had come. */
export function onlyKeptNotice(intent: Intent): Notice {
  const title = intent.kind === "schedule" ? "The post was not scheduled" : failureNotice(intent, true).title;
  return { title, description: "The connection broke before that was done. Your text was saved as a draft." };
}

/** What is said after a failure that has no sentence of its own. Source: specification, section 8. */
export function failureNotice(intent: Intent, created: boolean): Notice {
  if (intent.kind === "publish") return { title: "Failed to publish post", description: askSupport };
  return { title: created ? "Failed to save" : "Failed to update post", description: askSupport };
}

/**
 * Why what is on the screen is not on the server: a save that is `unanswered` is repeated, of anything else that got no answer it is
 * `unknown` whether it was done, which is asked for; `gone` and `forbidden` will not pass, `refused` is something the person can mend,
 * told by `sentence`.
 */
export type SaveTrouble = { reason: "unanswered" | "unknown" | "gone" | "forbidden" } | { reason: "refused"; sentence: string };

/** No answer came, or none that settles it. */
export const isUnanswered = (error: ApiError): boolean => !error.isRefusal;

export function saveTrouble(error: ApiError, intent: Intent): SaveTrouble {
  if (isUnanswered(error)) return noAnswerTo(intent);
  if (error.code === "not_found") return { reason: "gone" };
  if (error.code === "forbidden") return { reason: "forbidden" };
  return { reason: "refused", sentence: error.sentence };
}

export const noAnswerTo = (intent: Intent): SaveTrouble => ({ reason: isSaving(intent) ? "unanswered" : "unknown" });
