import type { DBSchema, IDBPDatabase } from "idb";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { emptyFields, type PostFields } from "#contract/rules/post-content.ts";
import { openOnce } from "../../lib/open-once.ts";

/** Unsaved content of one writing session (a tab's visit of one post). */
export interface LocalDraft extends PostFields {
  sessionId: string;
  /** `{userId}:{postId}` or `{userId}:new:{workspaceId}`: users of a shared computer are kept apart. */
  key: string;
  workspaceId: string;
  content: EditorOutput;
  /** The version it is based on; null for a post never saved. */
  baseVersion: number | null;
  /** Milliseconds since 1970 by this device's clock; only compared with each other. */
  savedAt: number;
}

/** `full`: no storage left; `unavailable`: storage is blocked. */
export class DraftStoreError extends Error {
  override readonly name = "DraftStoreError";
  readonly reason: "full" | "unavailable";
  constructor(reason: "full" | "unavailable", options?: ErrorOptions) {
    super(`Couldn't store the local draft: ${reason}`, options);
    this.reason = reason;
  }
}

export async function putDraft(draft: LocalDraft): Promise<void> {
  await inStore((database) => database.put("drafts", draft));
}

export async function deleteDraft(sessionId: string): Promise<void> {
  await inStore((database) => database.delete("drafts", sessionId));
}

export async function draftsOf(key: string): Promise<LocalDraft[]> {
  await Promise.allSettled(underWay);
  const drafts = await inStore((database) => database.getAllFromIndex("drafts", "key", key));
  return drafts.map((draft) => ({ ...emptyFields, ...draft })).sort(newestFirst); // those of 0.2.0 lack `cover_image`
}

export async function draftsIn(workspaceId: string, userId: string): Promise<LocalDraft[]> {
  await Promise.allSettled(underWay);
  const drafts = await inStore((database) => database.getAll("drafts"));
  return drafts.filter((draft) => draft.workspaceId === workspaceId && draft.key.startsWith(`${userId}:`)).sort(newestFirst);
}

const newestFirst = (one: LocalDraft, other: LocalDraft) => other.savedAt - one.savedAt;

/** Pending writes of this tab: reads wait for them, so that a closed editor's text is found. */
const underWay = new Set<Promise<unknown>>();

export function trackStore(work: Promise<unknown>): void {
  underWay.add(work);
  void work.finally(() => underWay.delete(work));
}

interface Drafts extends DBSchema {
  drafts: { key: string; value: LocalDraft; indexes: { key: string } };
}

const openDrafts = openOnce<Drafts>(
  "tidings",
  (database) => void database.createObjectStore("drafts", { keyPath: "sessionId" }).createIndex("key", "key"),
);

async function inStore<Result>(work: (database: IDBPDatabase<Drafts>) => Promise<Result>): Promise<Result> {
  try {
    return await work(await openDrafts());
  } catch (cause) {
    const full = cause instanceof DOMException && cause.name === "QuotaExceededError";
    throw new DraftStoreError(full ? "full" : "unavailable", { cause });
  }
}
