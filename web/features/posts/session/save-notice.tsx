import { Button } from "../../../components/button.tsx";
import { useOnline } from "./use-online.ts";
import { NoticeBar } from "./notice-bar.tsx";
import type { SaveTrouble } from "./write.ts";

interface SaveNoticeProps {
  trouble: SaveTrouble;
  /** This device holds a copy. */
  kept: boolean;
  onCopy(): void;
  onSaveAsNew(): void;
}

/** Says why the text is not on the server, where it is meanwhile, and what can be done. */
export function SaveNotice({ trouble, kept, onCopy, onSaveAsNew }: SaveNoticeProps) {
  const online = useOnline();
  const lasting = trouble.reason === "gone" || trouble.reason === "forbidden";
  return (
    <NoticeBar
      icon={lasting ? "exclamation-triangle" : "cloud-upload"}
      urgent={lasting}
      actions={
        lasting && (
          <>
            {trouble.reason === "gone" && (
              <Button size="small" onClick={onSaveAsNew}>
                Save as a new post
              </Button>
            )}
            <Button size="small" icon="copy" onClick={onCopy}>
              Copy as Markdown
            </Button>
          </>
        )
      }
    >
      {words(trouble, online)} {kept ? "Your text is kept on this device." : "Your text is only on this page: please keep it open."}
    </NoticeBar>
  );
}

function words(trouble: SaveTrouble, online: boolean): string {
  switch (trouble.reason) {
    case "unanswered":
      return online ? "The last save did not get through; we keep trying." : "You are offline; we save as soon as you are back.";
    case "unknown":
      return online
        ? "The connection broke, so we do not know yet whether that was done; we are finding out."
        : "You are offline; we look whether that was done as soon as you are back.";
    case "gone":
      return "This post does not exist any more, or you have no access to it.";
    case "forbidden":
      return "You may not change the posts of this workspace any more.";
    case "refused":
      return `The last save was refused: ${trouble.sentence}`;
  }
}
