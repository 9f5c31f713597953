import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { postMarkdown } from "../editor/toolbar/post-markdown.ts";
import type { LocalDraft } from "./draft-store.ts";
import { NoticeBar } from "./notice-bar.tsx";
import type { DraftProblem } from "./state.ts";

interface DraftNoticesProps {
  offered: readonly LocalDraft[];
  problem: DraftProblem;
  autosaves: boolean;
  version: number | null;
  editable: boolean;
  ready: boolean;
  onRestore(draft: LocalDraft): void;
  onForget(draft: LocalDraft): void;
}

export function DraftNotices({ offered, problem, autosaves, version, editable, ready, onRestore, onForget }: DraftNoticesProps) {
  const draft = offered[0];
  return (
    <>
      {draft && (
        <NoticeBar
          icon="history"
          actions={
            <>
              {editable ? (
                <Button size="small" disabled={!ready} onClick={() => onRestore(draft)}>
                  Restore
                </Button>
              ) : (
                <CopyButton label="your changes as Markdown" text={postMarkdown(draft)} />
              )}
              <Button size="small" variant="quietDanger" onClick={() => onForget(draft)}>
                Delete
              </Button>
            </>
          }
        >
          Changes from {relativeTime(new Date(draft.savedAt), new Date()).toLowerCase()} weren't saved. They're still on this device
          {draft.baseVersion !== null && version !== null && draft.baseVersion < version && ", but the post has changed since"}.
        </NoticeBar>
      )}
      {problem && (
        <NoticeBar icon="exclamation-triangle" urgent>
          {problem === "full"
            ? "This device has no room for a local backup of your changes."
            : "Your browser is blocking local backups of your changes."}{" "}
          {autosaves ? "Stay online so your changes keep saving" : "Save often"}
          {problem === "full" ? " and free up some storage." : "."}
        </NoticeBar>
      )}
    </>
  );
}
