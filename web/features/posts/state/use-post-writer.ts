import { useCallback, useMemo, useRef, useState } from "react";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useCreatePost, useSavePost } from "../api/use-save-post.ts";
import { emitPostEvent } from "../model/post-events.ts";
import { summaryOf } from "../model/post-summary.ts";
import {
  createBody,
  failureNotice,
  lockedNotice,
  successNotice,
  updateBody,
  writingProblem,
  type Intent,
  type Notice,
  type Writing,
} from "../model/write.ts";
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
  /** Sends what is on the screen; says how it went. True when the server has it. */
  write(intent: Intent): Promise<boolean>;
  /** 'Save anyway': repeats the refused write over the newer version. */
  overwrite(): Promise<void>;
  /** 'Cancel': goes on writing; the next save asks again. */
  cancelConflict(): void;
}

export interface PostWriterOptions {
  workspaceId: string;
  opened: Post | null;
  /** What is on the screen. May throw. */
  read(): Promise<Writing>;
  onSaved(post: Post, sent: { created: boolean; writing: Writing }): void;
}

const say = (notice: Notice | null, tone: "success" | "error") => notice && toasts[tone](notice.title, notice.description);

export function usePostWriter(options: PostWriterOptions): PostWriter {
  const [post, setPost] = useState(options.opened);
  const [busy, setBusy] = useState<Intent["kind"] | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const base = useRef(options.opened); // what the next write builds on; state would be one render late
  const queue = useMemo(createSaveQueue, []);
  const { trigger: save } = useSavePost();
  const { trigger: create } = useCreatePost();
  const latest = useLatest(options);

  const send = useCallback(
    async (writing: Writing, intent: Intent, version: number | undefined) => {
      const before = base.current;
      const saved = before
        ? await save({ id: before.id, body: updateBody(writing, intent, version) })
        : await create(createBody(writing, intent, latest.current.workspaceId));
      base.current = saved;
      setPost(saved);
      emitPostEvent({ type: "post-upserted", workspaceId: saved.workspace_id, post: summaryOf(saved) });
      latest.current.onSaved(saved, { created: before === null, writing });
    },
    [save, create, latest],
  );

  const refuse = useCallback(
    (error: unknown, intent: Intent, created: boolean) => {
      const code = error instanceof ApiError ? error.code : null;
      if (code === "version_conflict") {
        const found = (error as ApiError).conflict;
        queue.hold();
        setConflict({ intent, updatedAt: found?.updated_at ?? null, updatedByName: found?.updated_by_name ?? null });
      } else if (code === "published_post_locked") say(lockedNotice, "error");
      // The session's end has a dialog of its own; the text stays and can be saved after signing in again.
      else if (code !== "unauthenticated" && intent.kind !== "autosave") say(failureNotice(intent, created), "error");
    },
    [queue],
  );

  const write = useCallback(
    async (intent: Intent) => {
      const result = await queue.run(async () => {
        const writing = await latest.current.read().catch(() => null);
        const problem = writing
          ? writingProblem(writing, intent, base.current)
          : { title: "Unable to get editor data", description: "Please try again" };
        if (!writing || problem) {
          if (intent.kind !== "autosave") say(problem, "error");
          return false;
        }
        const created = base.current === null;
        setBusy(intent.kind);
        try {
          await send(writing, intent, base.current?.version);
          say(successNotice(intent, created), "success");
          return true;
        } catch (error) {
          refuse(error, intent, created);
          return false;
        } finally {
          setBusy(null);
        }
      });
      return result !== "dropped" && result.done;
    },
    [queue, send, refuse, latest],
  );

  const cancelConflict = useCallback(() => {
    queue.release();
    setConflict(null);
  }, [queue]);

  const overwrite = useCallback(async () => {
    if (!conflict) return;
    setBusy(conflict.intent.kind);
    try {
      await send(await latest.current.read(), conflict.intent, undefined);
      say(successNotice(conflict.intent, false) ?? { title: "Saved" }, "success");
    } catch (error) {
      toasts.error(error instanceof ApiError && error.status > 0 ? error.message : "Failed to save your changes.");
    } finally {
      setBusy(null);
      cancelConflict();
    }
  }, [conflict, send, cancelConflict, latest]);

  return { post, busy, conflict, write, overwrite, cancelConflict };
}
