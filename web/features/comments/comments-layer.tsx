import { type RefObject, Suspense, useEffect, useRef, useState } from "react";
import type { Thread } from "#contract/comments.ts";
import { postEndpoints } from "#contract/posts.ts";
import { Icon } from "../../ui/icon.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { useCall } from "../../lib/use-call.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";
import type { Filter } from "./comments-head.tsx";
import { CommentsColumn } from "./comments-column.tsx";
import { useBlockPlaces } from "./use-block-places.ts";
import { draftOnBlock, focusedBlock, type Comments, isOpen } from "./use-comments.ts";
import { classNames } from "../../lib/class-names.ts";
import css from "./comments.module.css";

export interface CommentsLayerProps {
  comments: Comments;
  article: RefObject<HTMLElement | null>;
}

const CommentsSheet = lazyPart(() => import("./comments-sheet.tsx"), "CommentsSheet");

const noMembers: never[] = [];

export function CommentsLayer({ comments, article }: CommentsLayerProps) {
  const { workspace, role, canWrite } = useCurrentWorkspace();
  const { threads, postId, open, beside, setOpen, setActive, drafts, startThread } = comments;
  const [filter, setFilter] = useState<Filter>("open");
  const blockInReach = useBlockInReach(article, canWrite);
  const ids = [...new Set([...threads, ...draftBlocks(comments)].flatMap(({ block_id }) => block_id ?? []))];
  const places = useBlockPlaces(article, blockInReach && !ids.includes(blockInReach) ? [...ids, blockInReach] : ids);
  const { data } = useCall(postEndpoints.authors, open && canWrite ? { params: { workspaceId: workspace.id } } : null);
  const members = data?.authors.filter(({ user_id }) => user_id !== comments.userId) ?? noMembers;
  const moderates = role === "owner" || role === "admin";
  useLinkedThread(comments, setFilter);

  if (postId === null) return null;
  const listed = threads.filter((thread) => isOpen(thread) === (filter === "open"));
  const marks = marksOf(threads, places);
  const blockTop = blockInReach === null ? undefined : places?.get(blockInReach);
  const shared = { comments, postId, listed, places, filter, onFilter: setFilter, members, canWrite, moderates };

  function show(thread: Thread) {
    setFilter("open");
    setActive(thread.id);
    setOpen(true);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.getElementById(`thread-${thread.id}`)?.focus({ preventScroll: beside })),
    );
  }

  return (
    <>
      <div className={css.marks}>
        {marks.map(({ blockId, top, count, first }) => (
          <button
            key={blockId}
            type="button"
            className={css.mark}
            style={{ top }}
            aria-label={`${count} ${count === 1 ? "comment" : "comments"} on: ${first.quote || "this block"}`}
            onClick={() => show(first)}
          >
            <Icon name="comment" />
            <span aria-hidden>{count}</span>
          </button>
        ))}
        {blockInReach !== null && blockTop !== undefined && !marks.some(({ blockId }) => blockId === blockInReach) && (
          <button
            type="button"
            className={classNames(css.mark, css.add)}
            style={{ top: blockTop }}
            aria-label="Comment on this block"
            title="Comment on this block"
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              const block = article.current?.querySelector<HTMLElement>(`.ce-block[data-id="${CSS.escape(blockInReach)}"]`);
              const draft = block && draftOnBlock(block);
              if (draft) startThread(draft);
            }}
          >
            <Icon name="comment" />
          </button>
        )}
      </div>
      {open && beside && <CommentsColumn {...shared} onClose={() => setOpen(false)} />}
      {open && !beside && (
        <Suspense>
          <CommentsSheet {...shared} onClose={() => setOpen(false)} />
        </Suspense>
      )}
      <p className="visually-hidden" role="status">
        {drafts.length === 0 && open && `${listed.length} ${filter} ${listed.length === 1 ? "thread" : "threads"}`}
      </p>
    </>
  );
}

const draftBlocks = ({ drafts }: Comments) => drafts.map(({ blockId }) => ({ block_id: blockId }));

interface Mark {
  blockId: string;
  top: number;
  count: number;
  first: Thread;
}

function marksOf(threads: readonly Thread[], places: ReadonlyMap<string, number> | null): Mark[] {
  const marks = new Map<string, Mark>();
  for (const thread of threads.filter(isOpen)) {
    const top = thread.block_id === null ? undefined : places?.get(thread.block_id);
    if (top === undefined) continue;
    const blockId = thread.block_id!;
    const before = marks.get(blockId);
    marks.set(blockId, {
      blockId,
      top,
      count: (before?.count ?? 0) + thread.comments.length,
      first: before?.first ?? thread,
    });
  }
  return [...marks.values()].toSorted((a, b) => a.top - b.top);
}

function useLinkedThread({ active, threads, open }: Comments, onFilter: (filter: Filter) => void) {
  const first = useRef(open ? active : null);
  useEffect(() => {
    const thread = threads.find(({ id }) => id === first.current);
    if (!thread) return;
    first.current = null;
    if (!isOpen(thread)) onFilter("resolved");
    let frames = 30; // frames to wait until the text and the column have rendered
    const scrollToThread = () => {
      const card = document.getElementById(`thread-${thread.id}`);
      if (card) {
        card.focus({ preventScroll: true });
        card.scrollIntoView({ block: "center", behavior: "instant" });
      }
      if (!card && frames-- > 0) requestAnimationFrame(scrollToThread);
    };
    requestAnimationFrame(scrollToThread);
  }, [threads, onFilter]);
}

/** The block under the mouse, else the one with the caret. */
function useBlockInReach(article: RefObject<HTMLElement | null>, enabled: boolean): string | null {
  const [id, setId] = useState<string | null>(null);

  useEffect(() => {
    const root = article.current;
    if (!root || !enabled) return;
    const onPointerMove = ({ target, pointerType }: PointerEvent) => {
      if (pointerType !== "mouse" || !(target instanceof Element)) return;
      const block = target.closest<HTMLElement>(".post-editor .ce-block");
      if (block?.dataset.id) setId(block.dataset.id);
    };
    const onSelection = () => {
      const { blockId } = focusedBlock() ?? {};
      if (blockId) setId(blockId);
    };
    root.addEventListener("pointermove", onPointerMove);
    document.addEventListener("selectionchange", onSelection);
    return () => {
      root.removeEventListener("pointermove", onPointerMove);
      document.removeEventListener("selectionchange", onSelection);
    };
  }, [article, enabled]);

  return enabled ? id : null;
}
