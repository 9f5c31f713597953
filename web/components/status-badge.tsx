import type { PostStatus } from "#contract/kinds.ts";
import { Icon, type IconName } from "./icon.tsx";
import css from "./status-badge.module.css";

const looks: Readonly<Record<PostStatus, { word: string; icon: IconName }>> = {
  published: { word: "Published", icon: "check-circle" },
  scheduled: { word: "Scheduled", icon: "clock" },
  draft: { word: "Draft", icon: "file-edit" },
  archived: { word: "Archived", icon: "inbox" },
};

/** A post's status in colour, shape and word: green published, yellow scheduled, gray draft. */
export function StatusBadge({ status }: { status: PostStatus }) {
  const { word, icon } = looks[status];
  return (
    <span className={`${css.badge} ${css[status]}`}>
      <Icon name={icon} className={css.icon} />
      {word}
    </span>
  );
}
