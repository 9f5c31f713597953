import type { ComponentProps } from "react";
import type { PostStatus } from "#contract/kinds.ts";
import { StateWord } from "./state-word.tsx";

const looks: Readonly<Record<PostStatus, ComponentProps<typeof StateWord>>> = {
  published: { word: "Published", icon: "check-circle", tone: "ok" },
  scheduled: { word: "Scheduled", icon: "clock", tone: "warn" },
  draft: { word: "Draft", icon: "file-edit", tone: "muted" },
  archived: { word: "Archived", icon: "inbox", tone: "muted" },
};

/** A post's status: green published, yellow scheduled, gray draft. */
export function StatusBadge({ status }: { status: PostStatus }) {
  return <StateWord {...looks[status]} />;
}
