/** The icons of PrimeIcons that the app uses; its font has no others (web/build/fonts.ts). */
// oxfmt-ignore
export const iconNames = [
  "angle-down", "angle-left", "angle-right", "angle-up", "arrow-left", "arrow-right", "bars", "bolt", "bookmark", "briefcase", "building",
  "calendar", "calendar-times", "chart-bar", "check", "check-circle", "chevron-down", "chevron-left", "chevron-right", "circle",
  "circle-fill", "clock", "clone", "cloud", "cloud-upload", "code", "cog", "comment", "comments", "copy", "desktop", "download",
  "ellipsis-h", "envelope", "exclamation-circle", "exclamation-triangle", "external-link", "eye", "eye-slash", "file", "file-edit",
  "filter", "filter-slash", "github", "globe", "history", "home", "image", "inbox", "info-circle", "link", "list", "lock", "megaphone",
  "mobile", "moon", "palette", "pencil", "plus", "question-circle", "refresh", "save", "search", "send", "server", "share-alt", "shield",
  "sign-out", "sliders-h", "sort-alt", "spinner", "star", "sun", "tag", "tags", "th-large", "times", "times-circle", "trash", "undo",
  "upload", "user", "user-plus", "users", "window-maximize",
] as const;

export type IconName = (typeof iconNames)[number];
