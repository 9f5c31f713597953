import type { Post } from "#contract/posts.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../ui/button.tsx";
import { NoticeBar } from "../notice-bar.tsx";

interface NewerNoticeProps {
  newer: Post;
  now: Date;
  dirty: boolean;
  autosaves: boolean;
  isMerged: boolean;
  onCompare(): void;
  onShow(): void;
}

export function NewerNotice({ newer, now, dirty, autosaves, isMerged, onCompare, onShow }: NewerNoticeProps) {
  const action = dirty ? (
    <Button size="small" onClick={onCompare}>
      Compare
    </Button>
  ) : (
    <Button size="small" onClick={onShow}>
      Show latest version
    </Button>
  );
  return (
    <NoticeBar icon="users" actions={action}>
      {newer.updated_by_name ?? "Someone"} {actionOf(newer)} {relativeTime(newer.updated_at, now).toLowerCase()}.{" "}
      {dirty && (autosaves ? "You'll be asked to choose when you pause." : "You'll be asked to choose when you save.")}
      {dirty && isMerged && " Their other changes are already here."}
    </NoticeBar>
  );
}

function actionOf({ status }: Post): string {
  return status === "archived" ? "archived this post" : "saved a newer version";
}
