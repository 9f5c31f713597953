import { useEffect, useRef, type RefObject } from "react";
import { Link } from "react-router-dom";
import { bannerRelativeTime } from "#contract/rules/banner-relative-time.ts";
import { postEndpoints, type PostSummary } from "#contract/posts.ts";
import { paths } from "../../lib/paths.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import css from "./upcoming-posts.module.css";

const tickMs = 10_000;
const perTickPx = 100;
const perClickPx = 320;

/** Soonest first, in a row that scrolls sideways. Source: specification, sections 2 and 9. */
export function UpcomingPosts({ workspaceId }: { workspaceId: string }) {
  const { data, error } = useCall(postEndpoints.upcoming, { query: { workspaceId } });
  const posts = data?.posts;
  const row = useRef<HTMLUListElement>(null);
  const scroll = (px: number) => row.current?.scrollBy({ left: px, behavior: "smooth" });

  return (
    <section className={css.upcoming} aria-labelledby="upcoming-posts">
      <header className={css.head}>
        <h2 id="upcoming-posts">{`Upcoming posts (${posts?.length ?? 0})`}</h2>
        {posts && posts.length > 2 && (
          <span className={css.arrows}>
            <IconButton icon="chevron-left" label="Earlier posts" onClick={() => scroll(-perClickPx)} />
            <IconButton icon="chevron-right" label="Later posts" onClick={() => scroll(perClickPx)} />
          </span>
        )}
      </header>
      {posts ? <Row posts={posts} row={row} /> : error ? <Failed /> : <Waiting />}
    </section>
  );
}

function Row({ posts, row }: { posts: readonly PostSummary[]; row: RefObject<HTMLUListElement | null> }) {
  useWheel(row);
  const now = useNow(tickMs);
  if (posts.length === 0) return <p className={css.note}>No scheduled posts</p>;
  return (
    <ul role="list" className={css.row} ref={row}>
      {posts.map((post) => (
        <li key={post.id}>
          <Card post={post} now={now} />
        </li>
      ))}
    </ul>
  );
}

function Card({ post, now }: { post: PostSummary; now: Date }) {
  const at = new Date(post.publish_at ?? post.updated_at);
  return (
    <Link to={paths.editPost(post.workspace_id, post.id)} className={css.card}>
      <span className={css.title}>{post.title || "Untitled"}</span>
      <time dateTime={at.toISOString()} className={css.time}>
        <Icon name="clock" className={css.clock} />
        {at.toLocaleString(undefined, {
          weekday: "short",
          month: "short",
          day: "numeric",
          hour: "2-digit",
          minute: "2-digit",
          hourCycle: "h23",
          timeZoneName: "short",
        })}
      </time>
      <span className={css.time}>{bannerRelativeTime(at, now)}</span>
    </Link>
  );
}

const Waiting = () => (
  <p className={css.note} role="status">
    <Icon name="spinner" /> Loading upcoming posts...
  </p>
);

const Failed = () => (
  <p className={css.note} role="alert">
    Error loading posts. Please try again.
  </p>
);

/** Mouse wheel scrolls the row sideways; at its ends the page scrolls. */
function useWheel(row: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const wheel = (event: WheelEvent) => {
      if (event.deltaX !== 0 || event.ctrlKey) return;
      const before = element.scrollLeft;
      element.scrollLeft += Math.sign(event.deltaY) * perTickPx;
      if (element.scrollLeft !== before) event.preventDefault();
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  });
}
