import { useEffect, useRef } from "react";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { useLatest } from "../../../lib/use-latest.ts";
import { isServerSearch } from "./post-filter.ts";
import type { PostBrowser } from "./use-post-browser.ts";
import css from "./post-list.module.css";

/** Below the list: loading, failed, nothing found, or more to come. */
export function PostListEnd({ browser }: { browser: PostBrowser }) {
  const { posts, loading, filtered, list, term } = browser;
  const more = !isServerSearch(term) && list.page < list.pages;
  if (loading) {
    return (
      <p role="status" className={css.loading}>
        <Icon name="spinner" /> Loading posts...
      </p>
    );
  }
  if (list.error) {
    return (
      <div role="alert" className={css.note}>
        <p>Error loading posts</p>
        <p className={css.hint}>{list.error}</p>
        <Button size="small" icon="refresh" onClick={list.page === 0 ? list.reload : list.loadMore}>
          Try again
        </Button>
      </div>
    );
  }
  if (more) return <MoreOnSight onSeen={list.loadMore} listed={list.posts.length} />;
  if (posts.length > 0) return null;
  return (
    <div className={css.note} role="status">
      <p>No posts found</p>
      <p className={css.hint}>{filtered ? "Try adjusting your search or filters" : "Create your first post to get started"}</p>
    </div>
  );
}

/** Asks for the next page when the end of the list comes near the view. */
function MoreOnSight({ onSeen, listed }: { onSeen: () => void; listed: number }) {
  const mark = useRef<HTMLDivElement>(null);
  const seen = useLatest(onSeen);
  useEffect(() => {
    if (!mark.current) return;
    const look: IntersectionObserverCallback = (entries) => entries.some((entry) => entry.isIntersecting) && seen.current();
    const observer = new IntersectionObserver(look, { root: mark.current.parentElement, rootMargin: "600px" });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [seen, listed]); // observed anew after each page: the mark may still be in view
  return <div ref={mark} className={css.mark} />;
}
