import { memo, type CSSProperties } from "react";
import { Link } from "react-router-dom";
import type { PostSummary } from "#contract/posts.ts";
import { paths } from "../../../lib/paths.ts";
import { classNames } from "../../../lib/class-names.ts";
import { StatusIcon } from "./status-icon.tsx";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import css from "./list.module.css";

interface PostListItemProps {
  post: PostSummary;
  tags: string;
  /** Relative time of the last edit; a string, so that memo skips unchanged items. */
  edited: string;
  active: boolean;
  highlighted: boolean;
  /** Position for the staggered animation; null for posts already shown. */
  arriving: number | null;
  place: number;
  of: number;
  onChoose(): void;
}

export const PostListItem = memo(function PostListItem({
  post,
  tags,
  edited,
  active,
  highlighted,
  arriving,
  place,
  of,
  onChoose,
}: PostListItemProps) {
  const [names, more] = tags.split(/ (?=\+\d+ more$)/);
  const title = post.title || "Untitled";
  return (
    <li
      className={classNames(css.item, highlighted && css.highlighted, arriving !== null && css.entering)}
      style={{ "--index": arriving ?? 0 } as CSSProperties}
      aria-posinset={place}
      aria-setsize={of}
    >
      <Row
        as={Link}
        choice
        gap={3}
        align="start"
        to={paths.editPost(post.workspace_id, post.id)}
        className={css.link}
        aria-current={active ? "page" : undefined}
        onClick={onChoose}
      >
        <StatusIcon status={post.status} />
        <Stack as="span" style={{ gap: 2 }}>
          <Text as="span" strong truncate title={title}>
            {title}
          </Text>
          <span className={css.details}>
            <Text as="span" truncate className={css.tags}>
              {names}
            </Text>{" "}
            {more && <span>{more}</span>}{" "}
            <time dateTime={post.updated_at} className={css.edited}>
              {edited}
            </time>
          </span>
        </Stack>
      </Row>
    </li>
  );
});
