import { boundsProblem } from "#contract/blocks/bounds.ts";
import { isEmpty } from "#contract/blocks/is-empty.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { titleMaxLength } from "#contract/limits.ts";
import { changedFields, emptyFields, fieldsBody, fieldsOf, pickFields, type PostFields } from "#contract/rules/post-content.ts";
import type { CreatePostInput, Post, PostSummary, Publication, UpdatePostInput } from "#contract/posts.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import type { ApiError } from "../../lib/api-client.ts";

/** The user's intent for the editor's content. `autosave` is automatic and shows no success message. */
export type Intent =
  | { kind: "save" }
  | { kind: "autosave" }
  | ({ kind: "publish" } & Publication)
  /** `publishAt`: ISO 8601 with a time zone. */
  | ({ kind: "schedule"; publishAt: string } & Publication)
  | { kind: "unschedule" }
  | { kind: "restore" };

export const isPlainSave = ({ kind }: Intent): boolean => kind === "save" || kind === "autosave";

/** True if doing one covers the other. A manual save covers an autosave. */
export const coversIntent = (one: Intent, other: Intent): boolean =>
  (isPlainSave(one) && other.kind === "autosave") || JSON.stringify(one) === JSON.stringify(other);

export interface Writing extends PostFields {
  content: EditorOutput;
  /** Number of changes included; more may follow. */
  changes: number;
}

export interface Notice {
  title: string;
  description?: string;
  compare?: number;
  /** Done, but without the expected effect. */
  isWarning?: boolean;
}

export const lockedNotice: Notice = {
  title: "Cannot schedule a published post",
  description: "Published posts cannot be scheduled or moved back to draft status",
};

const askSupport = "Please try again or contact support";

/** The error of an invalid write, or null. `post`: null if never saved. Source: specification, section 5. */
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
  const complete = intent.kind !== "autosave";
  if (untitled && complete) return { title: "Title is required", description: "Please add a title to your post" };
  if (writing.title.trim().length > titleMaxLength) {
    return { title: "The title is too long", description: `Titles can have up to ${titleMaxLength} characters` };
  }
  if (blank && complete) return { title: "Content is required", description: "Please add some content to your post" };
  const boundsError = boundsProblem(writing.content);
  return boundsError === null ? null : { title: "The post is too long", description: boundsError };
}

export const isEmptyWriting = (writing: Writing): boolean => changedFields(writing, emptyFields).length === 0 && isEmpty(writing.content);

/** True if a post is the result of a write; a scheduled one may have gone live. */
export function isOutcomeOf({ title, content }: Writing, intent: Intent, post: Post): boolean {
  const { status = post.status } = statusFields(intent);
  const hasStatus = intent.kind === "schedule" ? isAtTime(post, intent.publishAt) : post.status === status;
  return hasStatus && post.title === title.trim() && blocksOf(post) === JSON.stringify(content.blocks);
}

const isAtTime = ({ status, publish_at: at }: Post, time: string): boolean =>
  (status === "scheduled" || status === "published") && at !== null && Date.parse(at) === Date.parse(time);

export const isSaved = (writing: PostFields & Pick<Writing, "content">, post: Post | null): boolean =>
  post !== null && changedFields(writing, fieldsOf(post)).length === 0 && blocksOf(post) === JSON.stringify(writing.content.blocks);

const blocksOf = ({ content_raw }: Post): string => JSON.stringify(parseBlocks(content_raw)?.blocks);

export const isSameText = (one: Post, other: Post): boolean =>
  changedFields(fieldsOf(one), fieldsOf(other)).length === 0 && blocksOf(one) === blocksOf(other);

const isPublishedOnTime = (before: PostSummary, after: PostSummary): boolean =>
  before.status === "scheduled" && after.status === "published" && before.publish_at !== null && after.publish_at === before.publish_at;

const isMoved = (before: PostSummary, after: PostSummary): boolean =>
  before.status === after.status &&
  (before.slug !== after.slug || before.published_at !== after.published_at || before.author_name !== after.author_name);

export const isMinorChange = (before: PostSummary, after: PostSummary): boolean =>
  isPublishedOnTime(before, after) || isMoved(before, after);

export type Request = { id: null; body: CreatePostInput } | { id: string; body: UpdatePostInput };

export function createBody(writing: Writing, intent: Intent, workspaceId: string): CreatePostInput {
  const state = { status: "draft" as const, publish_at: null, ...statusFields(intent) };
  return { ...fieldsBody(writing), blocks: writing.content, workspace_id: workspaceId, ...state, ...markOf(intent) };
}

const markOf = ({ kind }: Intent): { autosave?: true } => (kind === "autosave" ? { autosave: true } : {});

/**
 * Body of a save. Without `version` it overwrites ('Save anyway' only). Fields unchanged since `base` are left out, so that a colleague's
 * changes stay. A manual save repeats status and time, which the version check protects.
 */
export function updateBody(writing: Writing, intent: Intent, version: number | undefined, base: Post): UpdatePostInput {
  return {
    ...pickFields(fieldsBody(writing), ["title", ...changedFields(writing, fieldsOf(base))]),
    content_raw: JSON.stringify(writing.content),
    version,
    ...(intent.kind === "save" && version !== undefined ? stateOf(base) : statusFields(intent)),
    ...(intent.kind === "publish" && { workspace_id: base.workspace_id }),
    ...markOf(intent),
  };
}

const stateOf = ({ status, publish_at }: Post): Pick<UpdatePostInput, "status" | "publish_at"> =>
  status === "archived" ? {} : { status, publish_at };

function statusFields(intent: Intent): Pick<UpdatePostInput, "status"> & { publish_at?: string | null } & Publication {
  switch (intent.kind) {
    case "publish": {
      const { kind: _, ...publication } = intent;
      return { status: "published", ...publication };
    }
    case "schedule": {
      const { kind: _, publishAt, ...publication } = intent;
      return { status: "scheduled", publish_at: publishAt, ...publication };
    }
    case "unschedule":
      return { status: "draft", publish_at: null };
    case "restore":
      return { status: "draft" };
    default:
      return {};
  }
}

/** The success message, or null. Source: specification, section 8. */
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

export function mergedNotice(notice: Notice | null, merged: { names: readonly string[]; from: number } | undefined): Notice | null {
  if (!merged) return notice;
  const names = new Intl.ListFormat("en").format(merged.names);
  const words = `Merged with ${names}'s changes`;
  if (!notice) return { title: words, compare: merged.from };
  return { ...notice, description: notice.description ? `${words}. ${notice.description}` : words, compare: merged.from };
}

export function onlySavedNotice(intent: Intent): Notice {
  const title = intent.kind === "schedule" ? "Couldn't schedule the post" : failureNotice(intent, true).title;
  return { title, description: "The connection dropped before that finished. Your text was saved as a draft." };
}

/** The default error message. Source: specification, section 8. */
export function failureNotice(intent: Intent, created: boolean): Notice {
  if (intent.kind === "publish") return { title: "Failed to publish post", description: askSupport };
  return { title: created ? "Failed to save" : "Failed to update post", description: askSupport };
}

/**
 * Reason why the editor's content isn't saved. `unanswered`: a save, retried. `unknown`: another request without an answer, its outcome is
 * checked. `gone`, `forbidden`: permanent. `refused`: the user can fix it, as `sentence` says.
 */
export type SaveTrouble = { reason: "unanswered" | "unknown" | "gone" | "forbidden" } | { reason: "refused"; sentence: string };

export const isUnanswered = (error: ApiError): boolean => !error.isRefusal;

export function saveTrouble(error: ApiError, intent: Intent): SaveTrouble {
  if (isUnanswered(error)) return noAnswerTo(intent);
  if (error.code === "not_found") return { reason: "gone" };
  if (error.code === "forbidden") return { reason: "forbidden" };
  return { reason: "refused", sentence: error.sentence };
}

export const noAnswerTo = (intent: Intent): SaveTrouble => ({ reason: isPlainSave(intent) ? "unanswered" : "unknown" });
