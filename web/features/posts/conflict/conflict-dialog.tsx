import { useCallback } from "react";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { Post } from "#contract/posts.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { useLatest } from "../../../lib/use-latest.ts";
import { readPost } from "../post-calls.ts";
import { useTags } from "../tags/use-tags.ts";
import { tagNames } from "../tags/tags.ts";
import type { Writing } from "../session/write.ts";
import type { Conflict } from "../session/state.ts";
import { VersionComparison } from "../history/version-comparison.tsx";
import css from "./conflict-dialog.module.css";

interface ConflictDialogProps {
  conflict: Conflict;
  post: Post;
  busy: boolean;
  /** What is on the screen. */
  read(): Promise<Writing>;
  onOverwrite(): void;
  onCopy(): void;
  onDiscard(): void;
  onCancel(): void;
}

const labels = { mine: "Yours", theirs: "Theirs" };

/** Somebody else saved first: shows both versions and asks. Nothing is sent before the answer. Source: specification, section 4. */
export function ConflictDialog({ conflict, post, busy, read, onOverwrite, onCopy, onDiscard, onCancel }: ConflictDialogProps) {
  const { tags: offered } = useTags(post.workspace_id);
  const tags = useLatest(offered);
  const load = useCallback(async () => {
    const [theirs, mine] = await Promise.all([conflict.theirs ?? readPost(post.id), read()]);
    const named = (keys: readonly string[]) => tagNames(keys, tags.current);
    return {
      mine: { ...mine, tags: named(mine.tags) },
      theirs: { ...comparedOf(theirs), tags: named(theirs.tags), content: parseBlocks(theirs.content_raw) ?? cleanBlocks([]) },
    };
  }, [conflict.theirs, post.id, read, tags]);
  const who = conflict.updatedByName ?? "Somebody";
  const when = conflict.updatedAt ? relativeTime(conflict.updatedAt, new Date()).toLowerCase() : null;
  return (
    <Dialog
      open
      title="Post updated elsewhere"
      width="40rem"
      onClose={busy ? undefined : onCancel}
      footer={
        <>
          <Button disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button disabled={busy} onClick={onDiscard}>
            Discard &amp; Refresh
          </Button>
          {conflict.archived ? (
            <>
              <Button icon="copy" disabled={busy} onClick={onCopy}>
                Copy as Markdown
              </Button>
              <Button variant="primary" busy={busy} onClick={onOverwrite}>
                Restore &amp; save
              </Button>
            </>
          ) : (
            <Button variant="danger" busy={busy} onClick={onOverwrite}>
              Save anyway
            </Button>
          )}
        </>
      }
    >
      <p>
        <strong>{who}</strong> {conflict.archived ? archivedWords(when) : newerWords(when)} If you discard yours, it is kept on this device
        and offered again.
      </p>
      <div className={css.comparison}>
        <VersionComparison load={load} labels={labels} />
      </div>
    </Dialog>
  );
}

const comparedOf = ({ title, summary, cover_image: cover }: Post) => ({ title, summary, cover });

const newerWords = (when: string | null) =>
  `saved a newer version of this post${when ? ` ${when}` : ""}. Saving yours puts its title and text in the place of theirs, and its tags, summary and cover where you changed them; theirs stays in the history.`;
const archivedWords = (when: string | null) =>
  `archived this post${when ? ` ${when}` : ""}. Restoring it brings it back as a draft with your text; the archived one stays in the history.`;
