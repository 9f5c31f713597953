import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { Thread } from "#contract/comments.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { useMediaQuery } from "../../lib/use-media-query.ts";
import { onCommentsChanged, onMissed } from "../posts/post-events.ts";
import { listThreads } from "./comment-calls.ts";
import { readCommentDrafts } from "./unsaved-comments.ts";

export interface ThreadDraft {
  blockId: string | null;
  quote: string;
}

export interface Comments {
  postId: string | null;
  userId: string;
  threads: readonly Thread[];
  stale: boolean;
  reload(): void;
  put(thread: Thread): void;
  open: boolean;
  beside: boolean;
  setOpen(open: boolean): void;
  active: string | null;
  setActive(id: string | null): void;
  drafts: readonly ThreadDraft[];
  startThread(draft: ThreadDraft): void;
  closeDraft(blockId: string | null): void;
}

const columnFrom = "(width >= 1280px)";
/** Jitter: everyone with the post open receives a comment event at the same moment. */
const spreadMs = 150;

export function focusedBlock(): ThreadDraft | null {
  const selection = getSelection();
  for (const node of [document.activeElement, selection?.anchorNode ?? null]) {
    const element = node instanceof Element ? node : node?.parentElement;
    const block = element?.closest<HTMLElement>(".post-editor .ce-block");
    if (block) return draftOnBlock(block);
  }
  return null;
}

export function draftOnBlock(block: HTMLElement): ThreadDraft | null {
  const { id } = block.dataset;
  return id ? { blockId: id, quote: (block.innerText || block.textContent || "").replace(/\s+/g, " ").trim() } : null;
}

interface Options {
  workspaceId: string;
  postId: string | null;
  userId: string;
  loaded: readonly Thread[];
  canWrite: boolean;
}

export function useComments({ workspaceId, postId, userId, loaded, canWrite }: Options): Comments {
  const [threads, setThreads] = useState(loaded);
  const [stale, setStale] = useState(false);
  const [query] = useSearchParams();
  const [linked] = useState(() => query.get("thread"));
  const [open, setOpen] = useState(() => linked !== null && loaded.some(({ id }) => id === linked));
  const [active, setActive] = useState<string | null>(() => linked);
  const beside = useMediaQuery(columnFrom);
  const [drafts, setDrafts] = useState<readonly ThreadDraft[]>(() => (postId && canWrite ? storedDrafts(userId, postId) : []));

  const latestRequest = useRef(0);
  const reload = useCallback(() => {
    if (!postId) return;
    const request = ++latestRequest.current;
    listThreads(postId).then(
      (current) => {
        if (request !== latestRequest.current) return; // race: outdated by a newer request or a local change
        setThreads(current);
        setStale(false);
      },
      () => request === latestRequest.current && setStale(true),
    );
  }, [postId]);
  const put = useCallback(
    (thread: Thread) => {
      latestRequest.current++; // race: a response underway may lack this thread
      setThreads((before) =>
        before.some(({ id }) => id === thread.id) ? before.map((one) => (one.id === thread.id ? thread : one)) : [...before, thread],
      );
      reload();
    },
    [reload],
  );

  useEffect(() => {
    if (!postId) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scheduleReload = () => {
      clearTimeout(timer);
      timer = setTimeout(reload, Math.random() * spreadMs);
    };
    const unsubscribers = [
      onCommentsChanged((changed) => changed === postId && scheduleReload()),
      onMissed((missed) => missed === workspaceId && scheduleReload()),
    ];
    return () => {
      clearTimeout(timer);
      unsubscribers.forEach((unsubscribe) => unsubscribe());
    };
  }, [workspaceId, postId, reload]);

  const startThread = useCallback((draft: ThreadDraft) => {
    setDrafts((before) => (before.some(({ blockId }) => blockId === draft.blockId) ? before : [...before, draft]));
    setActive(draftId(draft.blockId));
    setOpen(true);
  }, []);
  const closeDraft = useCallback((closed: string | null) => setDrafts((before) => before.filter(({ blockId }) => blockId !== closed)), []);

  const keys = useLatest({ startThread, enabled: postId !== null && canWrite });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommentKey(event) || !keys.current.enabled) return;
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) return;
      event.preventDefault();
      event.stopPropagation();
      keys.current.startThread(focusedBlock() ?? { blockId: null, quote: "" });
    };
    /** Event of the block menu (../editor/blocks/block-actions.ts). */
    const onCommentRequest = ({ target }: Event) => {
      const draft = target instanceof HTMLElement ? draftOnBlock(target) : null;
      if (draft && keys.current.enabled) keys.current.startThread(draft);
    };
    document.addEventListener("keydown", onKeyDown, true);
    document.addEventListener("comment-on-block", onCommentRequest);
    return () => {
      document.removeEventListener("keydown", onKeyDown, true);
      document.removeEventListener("comment-on-block", onCommentRequest);
    };
  }, [keys]);

  return { postId, userId, threads, stale, reload, put, open, beside, setOpen, active, setActive, drafts, startThread, closeDraft };
}

export const draftId = (blockId: string | null): string => `new:${blockId ?? ""}`;

/** Ctrl+Alt+M, on a Mac Cmd+Option+M. Not AltGr, which types characters. */
const isCommentKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && event.altKey && !event.shiftKey && event.code === "KeyM" && !event.getModifierState("AltGraph");

function storedDrafts(userId: string, postId: string): ThreadDraft[] {
  return Object.entries(readCommentDrafts(userId, postId)).flatMap(([place, { quote }]) =>
    place.startsWith("new:") ? [{ blockId: place.slice("new:".length) || null, quote: quote ?? "" }] : [],
  );
}

export const isOpen = ({ resolved_at }: Thread): boolean => resolved_at === null;
