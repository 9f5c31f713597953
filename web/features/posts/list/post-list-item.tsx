import { memo, type CSSProperties } from "react";
import { Link } from "react-router-dom";
import type { PostSummary } from "#contract/posts.ts";
import { paths } from "../../../lib/paths.ts";
import { classNames } from "../../../lib/class-names.ts";
import { StatusIcon } from "./status-icon.tsx";
import css from "./post-list-item.module.css";

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
      className={classNames(css.item, highlighted && css.highlighted, arriving !== null && css.arriving)}
      style={{ "--index": arriving ?? 0 } as CSSProperties}
      aria-posinset={place}
      aria-setsize={of}
    >
      <Link
        to={paths.editPost(post.workspace_id, post.id)}
        className={css.link}
        aria-current={active ? "page" : undefined}
        onClick={onChoose}
      >
        <StatusIcon status={post.status} />
        <span className={css.words}>
          <span className={css.title} title={title}>
            {title}
          </span>
          <span className={css.details}>
            <span className={css.tags}>{names}</span> {more && <span>{more}</span>}{" "}
            <time dateTime={post.updated_at} className={css.edited}>
              {edited}
            </time>
          </span>
        </span>
      </Link>
    </li>
  );
});
