import { useEffect, useRef, type RefObject } from "react";
import { Link } from "react-router-dom";
import { bannerRelativeTime } from "#contract/rules/banner-relative-time.ts";
import { postEndpoints, type PostSummary } from "#contract/posts.ts";
import { paths } from "../../lib/paths.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
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
    <Stack as="section" gap={2} aria-labelledby="upcoming-posts">
      <Row as="header" justify="between">
        <h2 id="upcoming-posts">{`Upcoming posts (${posts?.length ?? 0})`}</h2>
        {posts && posts.length > 2 && (
          <Row as="span" gap={0}>
            <IconButton icon="chevron-left" label="Earlier posts" onClick={() => scroll(-perClickPx)} />
            <IconButton icon="chevron-right" label="Later posts" onClick={() => scroll(perClickPx)} />
          </Row>
        )}
      </Row>
      {posts ? <Cards posts={posts} row={row} /> : error ? <Failed /> : <Waiting />}
    </Stack>
  );
}

function Cards({ posts, row }: { posts: readonly PostSummary[]; row: RefObject<HTMLUListElement | null> }) {
  useWheel(row);
  const now = useNow(tickMs);
  if (posts.length === 0) return <Text tone="muted">No scheduled posts</Text>;
  return (
    <Row as="ul" role="list" gap={3} align="stretch" nowrap className={css.row} ref={row}>
      {posts.map((post) => (
        <li key={post.id}>
          <Card post={post} now={now} />
        </li>
      ))}
    </Row>
  );
}

function Card({ post, now }: { post: PostSummary; now: Date }) {
  const at = new Date(post.publish_at ?? post.updated_at);
  return (
    <Stack as={Link} gap={1} to={paths.editPost(post.workspace_id, post.id)} className={css.card}>
      <Text as="span" strong lines={2}>
        {post.title || "Untitled"}
      </Text>
      <Row as="time" gap={1} style={{ font: "var(--text-small)" }} dateTime={at.toISOString()}>
        <Icon name="clock" />
        {at.toLocaleString(undefined, {
          weekday: "short",
          month: "short",
          day: "numeric",
          hour: "2-digit",
          minute: "2-digit",
          hourCycle: "h23",
          timeZoneName: "short",
        })}
      </Row>
      <Text as="span" size="small">
        {bannerRelativeTime(at, now)}
      </Text>
    </Stack>
  );
}

const Waiting = () => (
  <Text tone="muted" role="status">
    <Icon name="spinner" /> Loading upcoming posts...
  </Text>
);

const Failed = () => (
  <Text tone="muted" role="alert">
    Error loading posts. Please try again.
  </Text>
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
