import type { Post } from "#contract/posts.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../components/button.tsx";
import { NoticeBar } from "../session/notice-bar.tsx";

interface NewerNoticeProps {
  newer: Post;
  now: Date;
  /** Something on the screen is not on the server. */
  dirty: boolean;
  /** What is unsaved goes to the server by itself. */
  itself: boolean;
  /** All of it but what does not go together with what was written here stands here already. */
  isIn: boolean;
  onCompare(): void;
  onShow(): void;
}

/** A colleague saved while something here is unsaved: says so before any save is tried, and what will happen. */
export function NewerNotice({ newer, now, dirty, itself, isIn, onCompare, onShow }: NewerNoticeProps) {
  const action = dirty ? (
    <Button size="small" onClick={onCompare}>
      Compare
    </Button>
  ) : (
    <Button size="small" onClick={onShow}>
      Show it
    </Button>
  );
  return (
    <NoticeBar icon="users" actions={action}>
      {newer.updated_by_name ?? "Somebody"} {done(newer)} {relativeTime(newer.updated_at, now).toLowerCase()}.{" "}
      {dirty && (itself ? "As soon as you pause, both are shown and you choose." : "When you save, both are shown and you choose.")}
      {dirty && isIn && " The rest of it is here already."}
    </NoticeBar>
  );
}

function done({ status }: Post): string {
  return status === "archived" ? "archived this post" : "saved a newer version";
}
