import type { ComponentProps, MouseEvent } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { PostStatus } from "#contract/kinds.ts";
import type { ListedPost } from "#contract/posts.ts";
import { creatorName } from "#contract/rules/creator-name.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import { tagSummary } from "#contract/rules/tag-summary.ts";
import { StatusLabel } from "../../../ui/status-label.tsx";
import { paths } from "../../../lib/paths.ts";
import { classNames } from "../../../lib/class-names.ts";
import { moment } from "../../../lib/moment.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import css from "./table.module.css";

interface PostRowProps {
  post: ListedPost;
  tags: readonly Tag[];
  now: Date;
  selected: boolean | undefined;
  leaving: boolean;
  onToggle: () => void;
}

export function PostRow({ post, tags, now, selected, leaving, onToggle }: PostRowProps) {
  const navigate = useNavigate();
  const to = paths.editPost(post.workspace_id, post.id);
  const title = post.title || "Untitled";
  const line = tagSummary(post.tags.map((key) => tagOf(key, tags).label));
  const onClick = ({ target }: MouseEvent) => !(target as Element).closest("a, label") && void navigate(to);
  return (
    <tr className={classNames(selected && css.selected, leaving && css.leaving)} onClick={onClick}>
      <td className={css.post}>
        <Row nowrap gap={0} align="start">
          {selected !== undefined && (
            <label className={css.checkbox}>
              <input type="checkbox" checked={selected} onChange={onToggle} aria-label={`Select ${title}`} />
            </label>
          )}
          <Stack grow gap={0}>
            <Link to={to}>{title}</Link>
            <Text size="small" tone="muted" truncate className={css.excerpt}>
              {line && (
                <Text as="span" tone="text" strong className={css.tags}>
                  {line}
                </Text>
              )}
              {post.excerpt}
            </Text>
          </Stack>
        </Row>
      </td>
      <td>
        <StatusBadge status={statusAt(post, now)} />
      </td>
      <Text as="td" truncate>
        {creatorName(post)}
      </Text>
      <Text as="td" tone="muted">
        <time dateTime={post.updated_at} title={moment(post.updated_at)}>
          {relativeTime(post.updated_at, now)}
        </time>
        {typeof post.views === "number" && (
          <span className={css.views} title="Views of the last 30 days">
            {post.views.toLocaleString()} {post.views === 1 ? "view" : "views"}
          </span>
        )}
      </Text>
    </tr>
  );
}

const looks: Readonly<Record<PostStatus, ComponentProps<typeof StatusLabel>>> = {
  published: { label: "Published", icon: "check-circle", tone: "ok" },
  scheduled: { label: "Scheduled", icon: "clock", tone: "warn" },
  draft: { label: "Draft", icon: "file-edit", tone: "muted" },
  archived: { label: "Archived", icon: "inbox", tone: "muted" },
};

function StatusBadge({ status }: { status: PostStatus }) {
  return <StatusLabel {...looks[status]} />;
}
