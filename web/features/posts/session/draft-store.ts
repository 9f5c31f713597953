import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { CoverImage } from "#contract/rules/cover.ts";

/** What a person wrote and the server does not have yet. One record a writing session (a tab's visit of one post). */
export interface LocalDraft {
  sessionId: string;
  /** The post's id, or `new:{workspaceId}`; prefixed with the person's id so that a shared computer keeps people apart. */
  key: string;
  workspaceId: string;
  title: string;
  tags: string[];
  /** Absent in those of an earlier version of the app. */
  summary?: string;
  cover?: CoverImage;
  content: EditorOutput;
  /** The version the text was written on; null for a post that was never saved. */
  baseVersion: number | null;
  /** Milliseconds since 1970, by this device's clock: only compared with itself. */
  savedAt: number;
}

/** Storing failed: `full` when the browser has no room left, `unavailable` when it refuses storage at all. */
export class DraftStoreError extends Error {
  override readonly name = "DraftStoreError";
  readonly reason: "full" | "unavailable";
  constructor(reason: "full" | "unavailable", options?: ErrorOptions) {
    super(`The local draft could not be stored: ${reason}`, options);
    this.reason = reason;
  }
}

export async function putDraft(draft: LocalDraft): Promise<void> {
  await inStore((database) => database.put("drafts", draft));
}

export async function deleteDraft(sessionId: string): Promise<void> {
  await inStore((database) => database.delete("drafts", sessionId));
}

/** The drafts of one post, newest first. */
export async function draftsOf(key: string): Promise<LocalDraft[]> {
  await Promise.allSettled(underWay);
  return (await inStore((database) => database.getAllFromIndex("drafts", "key", key))).sort(newestFirst);
}

/** Everything a person left unsaved in a workspace, newest first. */
export async function draftsIn(workspaceId: string, userId: string): Promise<LocalDraft[]> {
  await Promise.allSettled(underWay);
  const drafts = await inStore((database) => database.getAll("drafts"));
  return drafts.filter((draft) => draft.workspaceId === workspaceId && draft.key.startsWith(`${userId}:`)).sort(newestFirst);
}

const newestFirst = (one: LocalDraft, other: LocalDraft) => other.savedAt - one.savedAt;

/** Stores that this tab has begun: who reads waits for them, so that a text is found the moment its editor has gone. */
const underWay = new Set<Promise<unknown>>();

export function announceStore(work: Promise<unknown>): void {
  underWay.add(work);
  void work.finally(() => underWay.delete(work));
}

interface Drafts extends DBSchema {
  drafts: { key: string; value: LocalDraft; indexes: { key: string } };
}

let opening: Promise<IDBPDatabase<Drafts>> | null = null;

function openDrafts(): Promise<IDBPDatabase<Drafts>> {
  opening ??= openDB<Drafts>("tidings", 1, {
    upgrade: (database) => void database.createObjectStore("drafts", { keyPath: "sessionId" }).createIndex("key", "key"),
    blocking: (_version, _wanted, { target }) => {
      (target as IDBDatabase).close(); // another tab wants a newer format
      opening = null;
    },
    terminated: () => (opening = null),
  });
  opening.catch(() => (opening = null)); // ask again next time
  return opening;
}

async function inStore<Result>(work: (database: IDBPDatabase<Drafts>) => Promise<Result>): Promise<Result> {
  try {
    return await work(await openDrafts());
  } catch (cause) {
    const full = cause instanceof DOMException && cause.name === "QuotaExceededError";
    throw new DraftStoreError(full ? "full" : "unavailable", { cause });
  }
}
