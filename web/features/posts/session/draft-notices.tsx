import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { postMarkdown } from "../toolbar/post-markdown.ts";
import type { LocalDraft } from "./draft-store.ts";
import { NoticeBar } from "./notice-bar.tsx";
import type { DraftProblem } from "./state.ts";

interface DraftNoticesProps {
  /** What earlier visits left behind, newest first. */
  offered: readonly LocalDraft[];
  problem: DraftProblem;
  /** The post saves itself, and the more often without a local copy. */
  autosaves: boolean;
  /** The version on the screen; null for a new post. */
  version: number | null;
  /** Without the right to write a text can only be copied. */
  editable: boolean;
  /** The editor that a draft would go into is there. */
  ready: boolean;
  onRestore(draft: LocalDraft): void;
  onForget(draft: LocalDraft): void;
}

/** Offers what an earlier visit left unsaved, and says when this device cannot keep a copy. */
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
                <CopyButton what="them as Markdown" text={postMarkdown(draft)} />
              )}
              <Button size="small" variant="quietDanger" onClick={() => onForget(draft)}>
                Delete
              </Button>
            </>
          }
        >
          Changes from {relativeTime(new Date(draft.savedAt), new Date()).toLowerCase()} were not saved. They are still on this device
          {draft.baseVersion !== null && version !== null && draft.baseVersion < version && ", but the post was saved again since"}.
        </NoticeBar>
      )}
      {problem && (
        <NoticeBar icon="exclamation-triangle" urgent>
          {problem === "full"
            ? "This device has no room left for a local copy of your changes."
            : "This browser does not let us keep a local copy of your changes."}{" "}
          {autosaves ? "They go to the server as you type: please stay connected" : "Save often"}
          {problem === "full" ? ", and free some storage." : "."}
        </NoticeBar>
      )}
    </>
  );
}
