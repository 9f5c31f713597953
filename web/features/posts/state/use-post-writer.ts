import { useCallback, useMemo, useState } from "react";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useCreatePost, useSavePost } from "../api/use-save-post.ts";
import { emitPostEvent } from "../model/post-events.ts";
import { summaryOf } from "../model/post-summary.ts";
import { saveTrouble, type SaveTrouble } from "../model/save-trouble.ts";
import {
  failureNotice,
  isSameIntent,
  isSaving,
  lockedNotice,
  successNotice,
  writingProblem,
  type Intent,
  type Notice,
  type Writing,
} from "../model/write.ts";
import { createPostSender, type Outgoing } from "./post-sender.ts";
import { createSaveQueue } from "./save-queue.ts";

/** Somebody saved a newer version than the one on the screen. */
export interface Conflict {
  intent: Intent;
  updatedAt: string | null;
  updatedByName: string | null;
}

export interface PostWriter {
  /** As the server last knew it; null until the first save. */
  post: Post | null;
  /** The write under way. */
  busy: Intent["kind"] | null;
  /** While set, nothing is sent. */
  conflict: Conflict | null;
  /** Why the last write is not on the server; null when it is. A new object for every failure. */
  trouble: SaveTrouble | null;
  /** Sends what is on the screen; says how it went. True when the server has it. */
  write(intent: Intent): Promise<boolean>;
  /** Repeats a save that got no answer, as it was. True when nothing is left to repeat. */
  repeat(): Promise<boolean>;
  /** 'Save anyway': repeats the refused write over the newer version. */
  overwrite(): Promise<void>;
  /** 'Cancel': goes on writing; the next save asks again. */
  cancelConflict(): void;
  /** The post was deleted by somebody: what is on the screen becomes a new one. */
  saveAsNew(): Promise<void>;
}

export interface PostWriterOptions {
  workspaceId: string;
  opened: Post | null;
  /** What is on the screen. May throw. */
  read(): Promise<Writing>;
  onSaved(post: Post, sent: Outgoing): void;
}

const say = (notice: Notice | null, tone: "success" | "error") => notice && toasts[tone](notice.title, notice.description);

export function usePostWriter(options: PostWriterOptions): PostWriter {
  const [post, setPost] = useState(options.opened);
  const [busy, setBusy] = useState<Intent["kind"] | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [trouble, setTrouble] = useState<SaveTrouble | null>(null);
  const queue = useMemo(createSaveQueue, []);
  const { trigger: save } = useSavePost();
  const { trigger: create } = useCreatePost();
  const latest = useLatest(options);

  const sender = useMemo(
    () =>
      createPostSender({
        opened: latest.current.opened,
        workspaceId: latest.current.workspaceId,
        save,
        create,
        onSent(saved, sent) {
          setPost(saved);
          setTrouble(null);
          emitPostEvent({ type: "post-upserted", workspaceId: saved.workspace_id, post: summaryOf(saved) });
          latest.current.onSaved(saved, sent);
        },
      }),
    [save, create, latest],
  );

  const refuse = useCallback(
    (error: unknown, intent: Intent, created: boolean) => {
      const code = error instanceof ApiError ? error.code : null;
      if (code === "version_conflict") {
        const found = (error as ApiError).conflict;
        queue.hold();
        setTrouble(null);
        setConflict({ intent, updatedAt: found?.updated_at ?? null, updatedByName: found?.updated_by_name ?? null });
        return;
      }
      if (code === "published_post_locked") return say(lockedNotice, "error");
      if (code === "unauthenticated") return; // the session's end has a dialog of its own; the text stays and can be saved afterwards
      setTrouble(saveTrouble(error));
      if (intent.kind !== "autosave") say(failureNotice(intent, created), "error");
    },
    [queue],
  );

  /** One turn of the queue: true when the server has what it was about. */
  const turn = useCallback(
    async (intent: Intent, work: () => Promise<boolean>) => {
      const result = await queue.run(async () => {
        const created = sender.base() === null;
        try {
          return await work();
        } catch (error) {
          refuse(error, intent, created);
          return false;
        } finally {
          setBusy(null);
        }
      });
      return result !== "dropped" && result.done;
    },
    [queue, sender, refuse],
  );

  const write = useCallback(
    (intent: Intent) =>
      turn(intent, async () => {
        const writing = await latest.current.read().catch(() => null);
        const problem = writing
          ? writingProblem(writing, intent, sender.base())
          : { title: "Unable to get editor data", description: "Please try again" };
        if (!writing || problem) {
          if (intent.kind !== "autosave") say(problem, "error");
          return false;
        }
        const created = sender.base() === null;
        setBusy(intent.kind);
        const before = sender.unanswered();
        const same = before !== null && isSameIntent(before.intent, intent);
        if (before && (same || before.created || isSaving(before.intent))) await sender.repeat();
        else sender.drop();
        if (!same || before.writing.changes !== writing.changes) await sender.send(writing, intent, sender.base()?.version);
        say(successNotice(intent, created), "success");
        return true;
      }),
    [turn, sender, latest],
  );

  const repeat = useCallback(async () => {
    const before = sender.unanswered();
    if (!before || !isSaving(before.intent)) return true;
    return await turn({ kind: "autosave" }, async () => {
      if (sender.unanswered() !== before) return true; // another write was faster
      setBusy(before.intent.kind);
      await sender.repeat();
      say(successNotice(before.intent, before.created), "success");
      return true;
    });
  }, [turn, sender]);

  const cancelConflict = useCallback(() => {
    queue.release();
    setConflict(null);
  }, [queue]);

  const overwrite = useCallback(async () => {
    if (!conflict) return;
    setBusy(conflict.intent.kind);
    try {
      await sender.send(await latest.current.read(), conflict.intent, undefined);
      say(successNotice(conflict.intent, false) ?? { title: "Saved" }, "success");
    } catch (error) {
      setTrouble(saveTrouble(error));
      toasts.error(error instanceof ApiError && error.status > 0 ? error.message : "Failed to save your changes.");
    } finally {
      setBusy(null);
      cancelConflict();
    }
  }, [conflict, sender, cancelConflict, latest]);

  const saveAsNew = useCallback(async () => {
    sender.startOver();
    setPost(null);
    await write({ kind: "save" });
  }, [sender, write]);

  return { post, busy, conflict, trouble, write, repeat, overwrite, cancelConflict, saveAsNew };
}
