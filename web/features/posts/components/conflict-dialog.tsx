import { useCallback } from "react";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { Post } from "#contract/posts.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { readPost } from "../api/post-calls.ts";
import type { Writing } from "../model/write.ts";
import type { Conflict } from "../state/use-post-writer.ts";
import { VersionComparison } from "./version-comparison.tsx";
import css from "./conflict-dialog.module.css";

interface ConflictDialogProps {
  conflict: Conflict;
  post: Post;
  busy: boolean;
  /** What is on the screen. */
  read(): Promise<Writing>;
  onOverwrite(): void;
  onDiscard(): void;
  onCancel(): void;
}

const labels = { mine: "Yours", theirs: "Theirs" };

/** Somebody else saved first: shows both versions and asks. Nothing is sent before the answer. Source: specification, section 4. */
export function ConflictDialog({ conflict, post, busy, read, onOverwrite, onDiscard, onCancel }: ConflictDialogProps) {
  const load = useCallback(async () => {
    const [theirs, mine] = await Promise.all([readPost(post.id), read()]);
    return { mine, theirs: { title: theirs.title, content: parseBlocks(theirs.content_raw) ?? cleanBlocks([]) } };
  }, [post.id, read]);
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
          <Button variant="danger" busy={busy} onClick={onOverwrite}>
            Save anyway
          </Button>
        </>
      }
    >
      <p>
        <strong>{who}</strong> saved a newer version of this post{when && ` ${when}`}. Saving yours puts it in the place of theirs; theirs
        stays in the history. If you discard yours, it is kept on this device and offered again.
      </p>
      <div className={css.comparison}>
        <VersionComparison load={load} labels={labels} />
      </div>
    </Dialog>
  );
}
