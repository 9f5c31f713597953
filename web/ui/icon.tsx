import { classNames } from "../lib/class-names.ts";
import css from "./icon.module.css";

// oxfmt-ignore
export type IconName =
  | "angle-down" | "angle-left" | "angle-right" | "angle-up" | "arrow-left" | "arrow-right" | "bars" | "bolt" | "bookmark" | "briefcase"
  | "building" | "calendar" | "calendar-times" | "chart-bar" | "check" | "check-circle" | "chevron-down" | "chevron-left"
  | "chevron-right" | "circle" | "circle-fill" | "clock" | "clone" | "cloud" | "cloud-upload" | "code" | "cog" | "comment" | "comments" | "copy" | "desktop" | "download" | "ellipsis-h" | "envelope"
  | "exclamation-circle" | "exclamation-triangle" | "external-link" | "eye" | "eye-slash" | "file" | "file-edit" | "filter"
  | "filter-slash" | "github" | "globe" | "history" | "home" | "image" | "inbox" | "info-circle" | "link" | "list" | "lock" | "megaphone" | "mobile" | "moon"
  | "palette" | "pencil" | "plus" | "question-circle" | "refresh" | "save" | "search" | "send" | "server" | "share-alt" | "shield" | "sign-out" | "sliders-h"
  | "sort-alt" | "spinner" | "star" | "sun" | "tag" | "tags" | "th-large" | "times" | "times-circle" | "trash" | "undo" | "upload"
  | "user" | "user-plus" | "users" | "window-maximize";

/** Decorative, so always with a label. `large` is 20 px, else 16 px. */
export function Icon({ name, large, muted, className }: { name: IconName; large?: boolean; muted?: boolean; className?: string }) {
  return (
    <i
      className={classNames(
        "pi",
        `pi-${name}`,
        css.icon,
        large && css.large,
        muted && css.muted,
        name === "spinner" && css.spin,
        className,
      )}
      aria-hidden="true"
    />
  );
}
