import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { commentList, type Listed } from "./comment-list.ts";
import { CommentsEntry, entryId } from "./comments-entry.tsx";
import { CommentsHead, NoComments } from "./comments-head.tsx";
import type { CommentsListProps } from "./comments-sheet.tsx";
import { placeThreads } from "./place-threads.ts";
import { Text } from "../../ui/layout.tsx";
import css from "./comments.module.css";

const gap = 12; // px

interface CommentsColumnProps extends CommentsListProps {
  onClose(): void;
}

export function CommentsColumn({ listed, places, filter, onFilter, onClose, ...entry }: CommentsColumnProps) {
  const { comments, canWrite } = entry;
  const { whole, beside, earlier } = commentList(listed, filter === "open" ? comments.drafts : [], places);
  const rows: (Listed | "earlier")[] = [...whole, ...beside, ...(earlier.length > 0 ? ["earlier" as const, ...earlier] : [])];
  const keyOf = (row: Listed | "earlier") => (row === "earlier" ? row : entryId(row));
  const head = useRef<HTMLDivElement>(null);
  const elements = useRef(new Map<string, HTMLElement>());
  const [tops, setTops] = useState<{ of: Record<string, number>; height: number }>({ of: {}, height: 0 });
  const [resizes, setResizes] = useState(0);

  const keys = rows.map(keyOf).join(" ");
  useEffect(() => {
    const observer = new ResizeObserver(() => setResizes((count) => count + 1));
    for (const element of [head.current, ...elements.current.values()]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, [keys]);

  const levelList = rows.map((row) => (row !== "earlier" && row.top !== null ? row.top : 0)).join(" ");
  useLayoutEffect(() => {
    const order = keys === "" ? [] : keys.split(" ");
    const heights = order.map((key) => elements.current.get(key)?.offsetHeight ?? 0);
    const levels = levelList.split(" ").map(Number);
    const first = head.current?.offsetHeight ?? 0;
    const placed = placeThreads(
      order.map((_, place) => ({ level: levels[place] ?? 0, height: heights[place]! })),
      comments.active === null ? -1 : order.indexOf(comments.active),
      first,
      gap,
    );
    const height = order.length === 0 ? first : placed.at(-1)! + heights.at(-1)! + gap;
    const of = Object.fromEntries(order.map((key, place) => [key, placed[place]!]));
    setTops((before) => (before.height === height && isSame(before.of, of) ? before : { of, height }));
  }, [keys, levelList, resizes, comments.active]);

  const attach = (key: string) => (element: HTMLElement | null) => {
    if (element) elements.current.set(key, element);
    else elements.current.delete(key);
  };
  return (
    <aside className={css.column} aria-label="Comments" style={{ minHeight: tops.height }}>
      <CommentsHead ref={head} comments={comments} filter={filter} onFilter={onFilter} canWrite={canWrite} onClose={onClose} />
      {rows.length === 0 && <NoComments filter={filter} canWrite={canWrite} beside />}
      {rows.map((row) => {
        const key = keyOf(row);
        return (
          <div key={key} className={css.entry} style={{ top: tops.of[key] ?? 0, visibility: key in tops.of ? undefined : "hidden" }}>
            {row === "earlier" ? (
              <Text as="h3" ref={attach(key)} size="small" tone="muted" style={{ paddingTop: "var(--space-3)" }}>
                On deleted blocks
              </Text>
            ) : (
              <CommentsEntry ref={attach(key)} one={row} collapsible showQuote={row.top === null} {...entry} />
            )}
          </div>
        );
      })}
    </aside>
  );
}

const isSame = (a: Record<string, number>, b: Record<string, number>): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(b).every(([key, top]) => a[key] === top);
