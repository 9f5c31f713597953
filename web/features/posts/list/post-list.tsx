import { useEffect, useRef, type RefObject } from "react";
import { sidebarPageSize } from "#contract/limits.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { relativeTimeRefreshMs } from "../../../lib/timings.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useTags } from "../tags/use-tags.ts";
import { tagLine } from "../tags/tags.ts";
import { useNow } from "../../../lib/use-now.ts";
import { isServerSearch } from "./post-filter.ts";
import type { PostBrowser } from "./use-post-browser.ts";
import { useRowWindow } from "./use-row-window.ts";
import { PostListItem } from "./post-list-item.tsx";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import css from "./list.module.css";

const scrollToActiveMs = 500;
const rowPx = 62; // as in list.module.css

interface PostListProps {
  workspaceId: string;
  browser: PostBrowser;
  activeId: string | null;
  onChoose(): void;
}

/** The filtered posts, with infinite scroll. Virtualised: there may be thousands. */
export function PostList({ workspaceId, browser, activeId, onChoose }: PostListProps) {
  const { posts } = browser;
  const { tags: offered } = useTags(workspaceId);
  const now = useNow(relativeTimeRefreshMs);
  const scroller = useRef<HTMLDivElement>(null);
  const { start, end, before, after } = useRowWindow(scroller, posts.length, rowPx);
  const arrived = useRef(new Set<string>()); // animate each post only once
  useEffect(() => {
    for (const post of posts) arrived.current.add(post.id);
  }, [posts]);
  useScrollToActive(
    scroller,
    posts.findIndex((post) => post.id === activeId),
    activeId,
  );

  return (
    <div className={css.scroller} ref={scroller}>
      <ul role="list" aria-label="Posts" style={{ paddingTop: before, paddingBottom: after }}>
        {posts.slice(start, end).map((post, index) => (
          <PostListItem
            key={post.id}
            post={post}
            tags={tagLine(post.tags, offered)}
            edited={relativeTime(post.updated_at, now)}
            active={post.id === activeId}
            highlighted={post.id === browser.list.highlighted}
            arriving={arrived.current.has(post.id) ? null : (start + index) % sidebarPageSize}
            place={start + index + 1}
            of={posts.length}
            onChoose={onChoose}
          />
        ))}
      </ul>
      <PostListEnd browser={browser} />
    </div>
  );
}

/** Scrolls the active post into view after half a second. Source: specification, section 9. */
function useScrollToActive(scroller: RefObject<HTMLElement | null>, index: number, activeId: string | null) {
  const place = useLatest(index);
  useEffect(() => {
    if (activeId === null) return;
    const timer = setTimeout(() => {
      const element = scroller.current;
      const top = place.current * rowPx;
      if (!element || top < 0 || (top >= element.scrollTop && top + rowPx <= element.scrollTop + element.clientHeight)) return;
      element.scrollTop = top - element.clientHeight / 2;
    }, scrollToActiveMs);
    return () => clearTimeout(timer);
  }, [scroller, activeId, place]);
}

function PostListEnd({ browser }: { browser: PostBrowser }) {
  const { posts, loading, filtered, list, term } = browser;
  const more = !isServerSearch(term) && list.page < list.pages;
  if (loading) {
    return (
      <Row as="p" role="status" justify="center" className={css.loading}>
        <Icon name="spinner" /> Loading posts...
      </Row>
    );
  }
  if (list.error) {
    return (
      <Stack gap={2} role="alert" className={css.empty}>
        <p>Error loading posts</p>
        <Text size="small" tone="muted">
          {list.error}
        </Text>
        <Button size="small" icon="refresh" onClick={list.page === 0 ? list.reload : list.loadMore}>
          Try again
        </Button>
      </Stack>
    );
  }
  if (more) return <MoreOnSight onSeen={list.loadMore} listed={list.posts.length} />;
  if (posts.length > 0) return null;
  return (
    <Stack gap={2} className={css.empty} role="status">
      <p>No posts found</p>
      <Text size="small" tone="muted">
        {filtered ? "Try adjusting your search or filters" : "Create your first post to get started"}
      </Text>
    </Stack>
  );
}

function MoreOnSight({ onSeen, listed }: { onSeen: () => void; listed: number }) {
  const mark = useRef<HTMLDivElement>(null);
  const seen = useLatest(onSeen);
  useEffect(() => {
    if (!mark.current) return;
    const onIntersect: IntersectionObserverCallback = (entries) => entries.some((entry) => entry.isIntersecting) && seen.current();
    const observer = new IntersectionObserver(onIntersect, { root: mark.current.parentElement, rootMargin: "600px" });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [seen, listed]); // observe again after each page: the mark may still be visible
  return <div ref={mark} style={{ height: 1 }} />;
}
