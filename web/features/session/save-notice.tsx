import { Button } from "../../ui/button.tsx";
import { useOnline } from "./use-online.ts";
import { NoticeBar } from "./notice-bar.tsx";
import type { SaveTrouble } from "./write.ts";

interface SaveNoticeProps {
  trouble: SaveTrouble;
  hasLocalCopy: boolean;
  onCopy(): void;
  onSaveAsNew(): void;
}

export function SaveNotice({ trouble, hasLocalCopy, onCopy, onSaveAsNew }: SaveNoticeProps) {
  const online = useOnline();
  const isPermanent = trouble.reason === "gone" || trouble.reason === "forbidden";
  return (
    <NoticeBar
      icon={isPermanent ? "exclamation-triangle" : "cloud-upload"}
      urgent={isPermanent}
      actions={
        isPermanent && (
          <>
            {trouble.reason === "gone" && (
              <Button size="small" onClick={onSaveAsNew}>
                Save as new post
              </Button>
            )}
            <Button size="small" icon="copy" onClick={onCopy}>
              Copy as Markdown
            </Button>
          </>
        )
      }
    >
      {words(trouble, online)} {hasLocalCopy ? "Your text is saved on this device." : "Your changes are only on this page. Keep it open."}
    </NoticeBar>
  );
}

function words(trouble: SaveTrouble, online: boolean): string {
  switch (trouble.reason) {
    case "unanswered":
      return online ? "Couldn't save. Retrying…" : "You're offline. We'll save when you reconnect.";
    case "unknown":
      return online
        ? "Connection lost. Checking whether your change went through…"
        : "You're offline. We'll check whether that went through when you reconnect.";
    case "gone":
      return "This post was deleted, or you no longer have access to it.";
    case "forbidden":
      return "You no longer have permission to edit posts here.";
    case "refused":
      return `Couldn't save. ${trouble.sentence}`;
  }
}
