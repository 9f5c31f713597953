import { useRef, useState } from "react";
import { importEndpoints, type WorkspaceImport } from "#contract/imports.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { retry, type Waiting, waitingMessage } from "../../lib/retry.ts";
import { emitMissed } from "../posts/post-events.ts";
import { postCount } from "../posts/tags/tags.ts";
import { errorMessage } from "./failures.ts";
import { deleteStoredImport } from "./import-store.ts";
import { keptPosts, formatTitles } from "./kept-posts.tsx";

interface UndoDialogProps {
  workspaceId: string;
  imported: WorkspaceImport;
  onUndone: () => void;
  onClose: () => void;
}

/** Confirms undoing an import. */
export function UndoDialog({ workspaceId, imported, onUndone, onClose }: UndoDialogProps) {
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const running = useRef<AbortController>(undefined);

  async function undo() {
    setBusy(true);
    const { signal } = (running.current = new AbortController());
    try {
      const result = await undoImport(workspaceId, imported.id, signal, setWaiting);
      deleteStoredImport(imported.id).catch((error: unknown) => console.warn("Couldn't delete the stored import.", error));
      const keptNote = result.left === 0 ? undefined : await keptPostsMessage(workspaceId, result);
      toasts.success("Import undone", keptNote);
      onClose();
      onUndone();
    } catch (error) {
      if (signal.aborted) return;
      setWaiting(null);
      toasts.failure("Undo incomplete", error, errorMessage(error));
      setBusy(false);
    } finally {
      emitMissed(workspaceId);
    }
  }

  /** Closing midway keeps what is undone. */
  function close() {
    running.current?.abort();
    onClose();
  }

  return (
    <ConfirmDialog
      title={`Undo the import of ${imported.name}?`}
      confirm="Undo import"
      danger
      busy={busy}
      onConfirm={() => void undo()}
      onClose={close}
    >
      <p>Imported posts will be permanently deleted and overwritten posts restored. Posts edited since, and new tags, are kept.</p>
      <p role="status">{busy && (waiting ? waitingMessage(waiting) : "Undoing. If you close this, you can continue later.")}</p>
    </ConfirmDialog>
  );
}

/** Number and some titles of kept posts. */
async function keptPostsMessage(workspaceId: string, { id, left }: WorkspaceImport): Promise<string> {
  const posts = await keptPosts(workspaceId, id).catch(() => []);
  return `${postCount(left)} kept because ${left === 1 ? "it was" : "they were"} edited since${formatTitles(posts, left)}`;
}

/** Undoes in several calls; can continue after a stop. */
async function undoImport(
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
