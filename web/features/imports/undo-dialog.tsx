import { useRef, useState } from "react";
import { importEndpoints, type WorkspaceImport } from "#contract/imports.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { emitMissed } from "../posts/post-events.ts";
import { postCount } from "../posts/tags/tags.ts";
import { retry, sentenceOf, waitingWords } from "./failures.ts";
import { forgetImport } from "./import-store.ts";
import type { Waiting } from "./machine.ts";
import { stayedPosts, stayedWords } from "./stayed-posts.tsx";

interface UndoDialogProps {
  workspaceId: string;
  imported: WorkspaceImport;
  onUndone: () => void;
  onClose: () => void;
}

/** One question before an import is taken back, and what stays. */
export function UndoDialog({ workspaceId, imported, onUndone, onClose }: UndoDialogProps) {
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const running = useRef<AbortController>(undefined);

  async function undo() {
    setBusy(true);
    const { signal } = (running.current = new AbortController());
    try {
      const undone = await undoWhole(workspaceId, imported.id, signal, setWaiting);
      forgetImport(imported.id).catch((error: unknown) => console.warn("This device keeps nothing of the import.", error));
      const stayed = undone.left === 0 ? undefined : await stayedSentence(workspaceId, undone);
      toasts.success("The import was taken back", stayed);
      onClose();
      onUndone();
    } catch (error) {
      if (signal.aborted) return;
      setWaiting(null);
      toasts.error("The import was not all taken back", `${sentenceOf(error)} It can be done again.`);
      setBusy(false);
    } finally {
      emitMissed(workspaceId);
    }
  }

  /** Also in the middle: what is taken back stays so. */
  function close() {
    running.current?.abort();
    onClose();
  }

  return (
    <ConfirmDialog
      title={`Undo the import of ${imported.name}?`}
      confirm="Undo the import"
      danger
      busy={busy}
      onConfirm={() => void undo()}
      onClose={close}
    >
      <p>
        Posts that it made are deleted for good, and posts that it replaced are as they were before. What somebody has changed since stays
        as it is; so do tags that were made, and posts of other imports.
      </p>
      <p role="status">{busy && (waiting ? waitingWords(waiting) : "Taking it back. If you close this, you can go on later.")}</p>
    </ConfirmDialog>
  );
}

/** How many stayed and why, and the names of some where they can be read. */
async function stayedSentence(workspaceId: string, { id, left }: WorkspaceImport): Promise<string> {
  const posts = await stayedPosts(workspaceId, id).catch(() => []);
  return `${postCount(left)} stayed: somebody has changed ${left === 1 ? "it" : "them"} since${stayedWords(posts, left)}`;
}

/** A long one is taken back in several calls; stopped in the middle, it goes on when it is asked for again. */
async function undoWhole(
  workspaceId: string,
  id: string,
  signal: AbortSignal,
  onWait: (waiting: Waiting | null) => void,
): Promise<WorkspaceImport> {
  for (;;) {
    const answer = await retry(() => call(importEndpoints.undo, { params: { workspaceId, id }, signal }), signal, onWait);
    if (!answer.unfinished) return answer.import;
  }
}
