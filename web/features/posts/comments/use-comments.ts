import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { Thread } from "#contract/comments.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useMediaQuery } from "../../../lib/use-media-query.ts";
import { onCommentsChanged, onMissed } from "../post-events.ts";
import { listThreads } from "./comment-calls.ts";
import { readKept } from "./kept-comments.ts";

/** What a new thread is begun beside: a block and what it says, or the whole post. */
export interface Beginning {
  blockId: string | null;
  quote: string;
}

export interface Comments {
  postId: string | null;
  userId: string;
  threads: readonly Thread[];
  /** What is shown may be old: asking again did not work. */
  stale: boolean;
  reload(): void;
  /** What a call has answered. */
  put(thread: Thread): void;
  open: boolean;
  /** There is room for a column beside the text. */
  beside: boolean;
  setOpen(open: boolean): void;
  /** The thread that is looked at, or what it is begun beside. */
  active: string | null;
  setActive(id: string | null): void;
  beginnings: readonly Beginning[];
  /** Opens the comments with a field for a new thread, and puts the caret there. */
  begin(beginning: Beginning): void;
  endBeginning(blockId: string | null): void;
}

/** From this width on the comments are beside the text, below it in a sheet. */
const columnFrom = "(width >= 1280px)";
/** Everybody who has the post open hears of a comment at the same instant. */
const spreadMs = 150;

/** The block that the caret or the focus is in, and what it says. */
export function blockInHand(): Beginning | null {
  const selection = getSelection();
  for (const node of [document.activeElement, selection?.anchorNode ?? null]) {
    const element = node instanceof Element ? node : node?.parentElement;
    const block = element?.closest<HTMLElement>(".post-editor .ce-block");
    if (block) return beginningAt(block);
  }
  return null;
}

export function beginningAt(block: HTMLElement): Beginning | null {
  const { id } = block.dataset;
  return id ? { blockId: id, quote: (block.innerText || block.textContent || "").replace(/\s+/g, " ").trim() } : null;
}

interface Options {
  workspaceId: string;
  postId: string | null;
  userId: string;
  /** That came with the post. */
  loaded: readonly Thread[];
  canWrite: boolean;
}

/** What is said about a post, as it is now, and what of it is looked at. */
export function useComments({ workspaceId, postId, userId, loaded, canWrite }: Options): Comments {
  const [threads, setThreads] = useState(loaded);
  const [stale, setStale] = useState(false);
  const [query] = useSearchParams();
  const [linked] = useState(() => query.get("thread")); // a mail leads to one
  const [open, setOpen] = useState(() => linked !== null && loaded.some(({ id }) => id === linked));
  const [active, setActive] = useState<string | null>(() => linked);
  const beside = useMediaQuery(columnFrom);
  const [beginnings, setBeginnings] = useState<readonly Beginning[]>(() => (postId && canWrite ? keptBeginnings(userId, postId) : []));

  const asked = useRef(0);
  const reload = useCallback(() => {
    if (!postId) return;
    const mine = ++asked.current;
    listThreads(postId).then(
      (now) => {
        if (mine !== asked.current) return; // asked again, or said something, meanwhile
        setThreads(now);
        setStale(false);
      },
      () => mine === asked.current && setStale(true),
    );
  }, [postId]);
  const put = useCallback(
    (thread: Thread) => {
      asked.current++; // an answer on its way may not know of this one
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
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(reload, Math.random() * spreadMs);
    };
    const endings = [onCommentsChanged((changed) => changed === postId && soon()), onMissed((missed) => missed === workspaceId && soon())];
    return () => {
      clearTimeout(timer);
      endings.forEach((end) => end());
    };
  }, [workspaceId, postId, reload]);

  const begin = useCallback((beginning: Beginning) => {
    setBeginnings((before) => (before.some(({ blockId }) => blockId === beginning.blockId) ? before : [...before, beginning]));
    setActive(beginningId(beginning.blockId));
    setOpen(true);
  }, []);
  const endBeginning = useCallback(
    (ended: string | null) => setBeginnings((before) => before.filter(({ blockId }) => blockId !== ended)),
    [],
  );

  const keys = useLatest({ begin, enabled: postId !== null && canWrite });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommentKey(event) || !keys.current.enabled) return;
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) return;
      event.preventDefault();
      event.stopPropagation();
      keys.current.begin(blockInHand() ?? { blockId: null, quote: "" });
    };
    /** Of the menu of a block (../editor/blocks/block-actions.ts). */
    const onWish = ({ target }: Event) => {
      const wished = target instanceof HTMLElement ? beginningAt(target) : null;
      if (wished && keys.current.enabled) keys.current.begin(wished);
    };
    document.addEventListener("keydown", onKeyDown, true);
    document.addEventListener("comment-on-block", onWish);
    return () => {
      document.removeEventListener("keydown", onKeyDown, true);
      document.removeEventListener("comment-on-block", onWish);
    };
  }, [keys]);

  return { postId, userId, threads, stale, reload, put, open, beside, setOpen, active, setActive, beginnings, begin, endBeginning };
}

/** What stands for a thread that is not there yet. */
export const beginningId = (blockId: string | null): string => `new:${blockId ?? ""}`;

/** Ctrl+Alt+M, on a Mac Cmd+Option+M. AltGr with M writes a letter. */
const isCommentKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && event.altKey && !event.shiftKey && event.code === "KeyM" && !event.getModifierState("AltGraph");

function keptBeginnings(userId: string, postId: string): Beginning[] {
  return Object.entries(readKept(userId, postId)).flatMap(([place, { quote }]) =>
    place.startsWith("new:") ? [{ blockId: place.slice("new:".length) || null, quote: quote ?? "" }] : [],
  );
}

export const isOpen = ({ resolved_at }: Thread): boolean => resolved_at === null;
