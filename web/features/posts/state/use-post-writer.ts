import { useCallback, useMemo, useState } from "react";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useCreatePost, useReadPost, useSavePost } from "../api/use-save-post.ts";
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
  /** Repeats a save that got no answer, as it was; of any other write it finds out what became of it. True when none is left. */
  repeat(): Promise<boolean>;
  /** 'Save anyway': repeats the refused write over the newer version. True when the server has it. */
  overwrite(): Promise<boolean>;
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
  const read = useReadPost();
  const latest = useLatest(options);

  const sender = useMemo(
    () =>
      createPostSender({
        opened: latest.current.opened,
        workspaceId: latest.current.workspaceId,
        save,
        create,
        read,
        onSent(saved, sent) {
          setPost(saved);
          setTrouble(null);
          emitPostEvent({ type: "post-upserted", workspaceId: saved.workspace_id, post: summaryOf(saved) });
          latest.current.onSaved(saved, sent);
        },
      }),
    [save, create, read, latest],
  );

  const refuse = useCallback(
    (error: unknown, intent: Intent, { created, quiet }: { created: boolean; quiet: boolean }) => {
      const code = error instanceof ApiError ? error.code : null;
      if (code === "version_conflict") {
        const found = (error as ApiError).conflict;
        queue.hold();
        setTrouble(null);
        setConflict({ intent, updatedAt: found?.updated_at ?? null, updatedByName: found?.updated_by_name ?? null });
        return;
      }
      if (code === "published_post_locked") return say(lockedNotice, "error");
      if (code === "unauthenticated") {
        // The session's end has a dialog of its own; the text stays, and what saved itself does so again afterwards.
        if (intent.kind === "autosave") setTrouble({ reason: "unanswered" });
        return;
      }
      setTrouble(saveTrouble(error, intent));
      if (!quiet) say(failureNotice(intent, created), "error");
    },
    [queue],
  );

  /** One turn of the queue: true when the server has what it was about. What nobody asked for fails quietly. */
  const turn = useCallback(
    async (intent: Intent, work: () => Promise<boolean>, quiet = intent.kind === "autosave") => {
      const result = await queue.run(async () => {
        const created = sender.base() === null;
        try {
          return await work();
        } catch (error) {
          refuse(error, intent, { created, quiet });
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
        else if (before) await sender.lookFor(); // never done twice, and no conflict with oneself
        if (intent.kind === "autosave" && sender.base()?.status !== "draft") return false; // now it is for the person to say
        if (!same || before.writing.changes !== writing.changes) await sender.send(writing, intent, sender.base()?.version);
        say(successNotice(intent, created), "success");
        return true;
      }),
    [turn, sender, latest],
  );

  const repeat = useCallback(async () => {
    const before = sender.unanswered();
    if (!before) return true;
    const work = async () => {
      if (sender.unanswered() !== before) return true; // another write was faster
      setBusy(before.intent.kind);
      if (before.created || isSaving(before.intent)) await sender.repeat();
      else if (!(await sender.lookFor())) {
        setTrouble(null);
        say(failureNotice(before.intent, false), "error");
        return true;
      }
      say(successNotice(before.intent, before.created), "success");
      return true;
    };
    return await turn(before.intent, work, true);
  }, [turn, sender]);

  const cancelConflict = useCallback(() => {
    queue.release();
    setConflict(null);
  }, [queue]);

  const overwrite = useCallback(async () => {
    if (!conflict) return false;
    setBusy(conflict.intent.kind);
    try {
      await sender.send(await latest.current.read(), conflict.intent, undefined);
      say(successNotice(conflict.intent, false) ?? { title: "Saved" }, "success");
      return true;
    } catch (error) {
      setTrouble(saveTrouble(error, conflict.intent));
      toasts.error(error instanceof ApiError && error.status > 0 ? error.message : "Failed to save your changes.");
      return false;
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
