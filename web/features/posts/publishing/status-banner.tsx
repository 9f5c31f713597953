import type { Post } from "#contract/posts.ts";
import { bannerRelativeTime } from "#contract/rules/banner-relative-time.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import { Icon } from "../../../components/icon.tsx";
import { moment, timeZone } from "./moment.ts";
import css from "./status-banner.module.css";

interface StatusBannerProps {
  post: Post;
  now: Date;
  canWrite: boolean;
  /** Where readers find the post; null until the public address is known. */
  releaseUrl: string | null;
  isPublic: boolean;
  isOwner: boolean;
}

/** Says that a post is scheduled, live or archived, when, and where. Drafts have no banner. Source: specification, section 4. */
export function StatusBanner({ post, now, canWrite, releaseUrl, isPublic, isOwner }: StatusBannerProps) {
  const status = statusAt(post, now);
  if (status === "archived") return <ArchivedBanner post={post} canWrite={canWrite} />;
  if (status !== "scheduled" && status !== "published") return null;
  const live = status === "published";
  const time = (live ? (post.published_at ?? post.publish_at) : post.publish_at) ?? post.updated_at;
  const soonest = live && Date.parse(time) > now.getTime() ? new Date(time) : now; // published since the last tick
  return (
    <section className={live ? css.live : css.scheduled} aria-label="Status">
      <Icon name={live ? "check-circle" : "clock"} large />
      <div className={css.words}>
        <p className={css.sentence}>{live ? "This changelog post is live" : "This post is scheduled"}</p>
        <p className={css.time}>
          <time dateTime={time}>{moment(time)}</time> {timeZone()} · {bannerRelativeTime(time, soonest)}
        </p>
        {live && !isPublic && <p>Your public changelog is currently disabled.{isOwner && " You can enable it within the dashboard."}</p>}
      </div>
      {live && isPublic && releaseUrl && (
        <a className={css.link} href={releaseUrl} target="_blank" rel="noreferrer">
          View release post <Icon name="external-link" />
        </a>
      )}
    </section>
  );
}

function ArchivedBanner({ post, canWrite }: Pick<StatusBannerProps, "post" | "canWrite">) {
  const time = post.archived_at ?? post.updated_at;
  return (
    <section className={css.archived} aria-label="Status">
      <Icon name="eye-slash" large />
      <div className={css.words}>
        <p className={css.sentence}>This post is archived</p>
        <p className={css.time}>
          <time dateTime={time}>{moment(time)}</time> {timeZone()}
        </p>
        <p>Readers cannot see it.{canWrite && " Restore it as a draft to change it."}</p>
      </div>
    </section>
  );
}
