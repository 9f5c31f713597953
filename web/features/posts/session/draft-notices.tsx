import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { postMarkdown } from "../toolbar/post-markdown.ts";
import type { LocalDraft } from "./draft-store.ts";
import type { LocalDrafts } from "./use-local-draft.ts";
import { NoticeBar } from "./notice-bar.tsx";

interface DraftNoticesProps {
  drafts: LocalDrafts;
  /** The version on the screen; null for a new post. */
  version: number | null;
  /** Without the right to write a text can only be copied. */
  editable: boolean;
  /** The editor that a draft would go into is there. */
  ready: boolean;
  onRestore(draft: LocalDraft): void;
}

/** Offers what an earlier visit left unsaved, and says when this device cannot keep a copy. */
export function DraftNotices({ drafts, version, editable, ready, onRestore }: DraftNoticesProps) {
  const draft = drafts.found[0];
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
              <Button size="small" variant="quiet" onClick={() => drafts.forget(draft)}>
                Delete
              </Button>
            </>
          }
        >
          Changes from {relativeTime(new Date(draft.savedAt), new Date()).toLowerCase()} were not saved. They are still on this device
          {draft.baseVersion !== null && version !== null && draft.baseVersion < version && ", but the post was saved again since"}.
        </NoticeBar>
      )}
      {drafts.problem && (
        <NoticeBar icon="exclamation-triangle" urgent>
          {drafts.problem === "full"
            ? "This device has no room left for a local copy of your changes. Save now, and free some storage."
            : "This browser does not let us keep a local copy of your changes. Save often."}
        </NoticeBar>
      )}
    </>
  );
}
