import type { EditorOutput } from "#contract/blocks/schema.ts";

/** What a person wrote and the server does not have yet. One record a writing session (a tab's visit of one post). */
export interface LocalDraft {
  sessionId: string;
  /** The post's id, or `new:{workspaceId}`; prefixed with the person's id so that a shared computer keeps people apart. */
  key: string;
  workspaceId: string;
  title: string;
  tags: string[];
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

export function putDraft(draft: LocalDraft): Promise<void> {
  return inStore("readwrite", (store) => store.put(draft)).then(() => {});
}

export function deleteDraft(sessionId: string): Promise<void> {
  return inStore("readwrite", (store) => store.delete(sessionId)).then(() => {});
}

/** The drafts of one post, newest first. */
export async function draftsOf(key: string): Promise<LocalDraft[]> {
  await Promise.allSettled(underWay);
  const drafts = await inStore("readonly", (store) => store.index("key").getAll(key) as IDBRequest<LocalDraft[]>);
  return drafts.sort(newestFirst);
}

/** Everything a person left unsaved in a workspace, newest first. */
export async function draftsIn(workspaceId: string, userId: string): Promise<LocalDraft[]> {
  await Promise.allSettled(underWay);
  const drafts = await inStore("readonly", (store) => store.getAll() as IDBRequest<LocalDraft[]>);
  return drafts.filter((draft) => draft.workspaceId === workspaceId && draft.key.startsWith(`${userId}:`)).sort(newestFirst);
}

const newestFirst = (one: LocalDraft, other: LocalDraft) => other.savedAt - one.savedAt;

/** Stores that this tab has begun: who reads waits for them, so that a text is found the moment its editor has gone. */
const underWay = new Set<Promise<unknown>>();

export function announceStore(work: Promise<unknown>): void {
  underWay.add(work);
  void work.finally(() => underWay.delete(work));
}

let opening: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("tidings", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("drafts", { keyPath: "sessionId" }).createIndex("key", "key");
    request.onsuccess = () => {
      request.result.onversionchange = () => forget(request.result); // another tab wants a newer format
      request.result.onclose = () => forget(null);
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opening.catch(() => forget(null)); // ask again next time
  return opening;
}

function forget(open: IDBDatabase | null): void {
  open?.close();
  opening = null;
}

async function inStore<Result>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  try {
    const transaction = (await database()).transaction("drafts", mode);
    const request = work(transaction.objectStore("drafts"));
    return await new Promise<Result>((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? request.error);
      transaction.onerror = () => reject(transaction.error ?? request.error);
    });
  } catch (cause) {
    const full = cause instanceof DOMException && cause.name === "QuotaExceededError";
    throw new DraftStoreError(full ? "full" : "unavailable", { cause });
  }
}
