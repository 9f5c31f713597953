import type { ReactNode } from "react";
import type { Post } from "#contract/posts.ts";
import { bannerRelativeTime } from "#contract/rules/banner-relative-time.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { moment, timeZone } from "../../../lib/moment.ts";
import { AskOwner, TurnOnButton } from "./changelog-off.tsx";
import css from "./publishing.module.css";

interface StatusBannerProps {
  post: Post;
  now: Date;
  canWrite: boolean;
  releaseUrl: string | null;
  isPublic: boolean;
  isOwner: boolean;
  numbers?: ReactNode;
  busy: boolean;
  onReschedule(): void;
  onUnschedule(): void;
}

/** The post's status with time and actions. Drafts have none. Source: specification, section 4. */
export function StatusBanner({
  post,
  now,
  canWrite,
  releaseUrl,
  isPublic,
  isOwner,
  numbers,
  busy,
  onReschedule,
  onUnschedule,
}: StatusBannerProps) {
  const status = statusAt(post, now);
  if (status === "archived") {
    const time = post.archived_at ?? post.updated_at;
    return (
      <Banner tone="muted" icon="eye-slash" sentence="This post is archived" time={time} now={now}>
        Readers can't see it.{canWrite && " Restore it as a draft to edit it."}
      </Banner>
    );
  }
  if (status !== "scheduled" && status !== "published") return null;
  const live = status === "published";
  const time = (live ? (post.published_at ?? post.publish_at) : post.publish_at) ?? post.updated_at;
  const soonest = live && Date.parse(time) > now.getTime() ? new Date(time) : now; // published since the last tick
  if (!live) {
    const actions = canWrite && (
      <>
        <Button variant="quiet" size="small" onClick={onReschedule}>
          Change time
        </Button>
        <Button variant="quiet" size="small" busy={busy} onClick={onUnschedule}>
          Unschedule
        </Button>
      </>
    );
    return <Banner tone="warn" icon="clock" sentence="This post is scheduled" time={time} now={soonest} actions={actions} />;
  }
  if (!isPublic) {
    return (
      <Banner
        tone="warn"
        icon="exclamation-triangle"
        sentence="This post is published"
        time={time}
        now={soonest}
        actions={isOwner && <TurnOnButton />}
      >
        Your public changelog is currently disabled. {isOwner ? "You can enable it within the dashboard." : <AskOwner />}
      </Banner>
    );
  }
  const actions = (
    <>
      {numbers}
      {releaseUrl && (
        <Row as="a" className={css.link} href={releaseUrl} target="_blank" rel="noreferrer">
          View release post <Icon name="external-link" />
        </Row>
      )}
    </>
  );
  return <Banner tone="ok" icon="check-circle" sentence="This changelog post is live" time={time} now={soonest} actions={actions} />;
}

const grounds = { ok: "--ok-soft", warn: "--warn-soft", muted: "--hover" };

interface BannerProps {
  tone: keyof typeof grounds;
  icon: IconName;
  sentence: string;
  time: string;
  now: Date;
  actions?: ReactNode;
  children?: ReactNode;
}

function Banner({ tone, icon, sentence, time, now, actions, children }: BannerProps) {
  return (
    <section className={css.banner} style={{ background: `var(${grounds[tone]})` }} aria-label="Status">
      <Stack as="span" style={{ color: `var(--${tone})` }}>
        <Icon name={icon} large />
      </Stack>
      <div>
        <Row as="p" align="baseline" style={{ gap: "0 var(--space-3)" }}>
          <Text as="span" strong>
            {sentence}
          </Text>{" "}
          <Text as="span" tone="muted" title={timeZone()}>
            <time dateTime={time}>{moment(time)}</time> {timeZone()} · {bannerRelativeTime(time, now)}
          </Text>
        </Row>
        {children && <p>{children}</p>}
      </div>
      {actions && <div className={children ? css.below : css.actions}>{actions}</div>}
    </section>
  );
}
