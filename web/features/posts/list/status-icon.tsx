import type { PostStatus } from "#contract/kinds.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { statusLabels } from "./post-filter.ts";
import { classNames } from "../../../lib/class-names.ts";
import { Text } from "../../../ui/layout.tsx";
import css from "./status-icon.module.css";

const icons: Readonly<Record<PostStatus, IconName>> = {
  published: "check-circle",
  scheduled: "clock",
  draft: "file-edit",
  archived: "eye-slash",
};

export function StatusIcon({ status }: { status: PostStatus }) {
  return (
    <Text
      as="span"
      tone={status === "published" ? "ok" : "muted"}
      className={classNames(css.icon, status === "scheduled" && css.scheduled)}
      title={statusLabels[status]}
    >
      <Icon name={icons[status]} />
      <span className="visually-hidden">{statusLabels[status]}</span>
    </Text>
  );
}
