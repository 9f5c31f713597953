import { useCallback, useEffect, useMemo, useState } from "react";
import type { Post, PostSummary } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useCreatePost, useReadPost, useSavePost } from "./use-save-post.ts";
import { emitPostEvent, onPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";
import { saveTrouble, type SaveTrouble } from "./save-trouble.ts";
import {
  failureNotice,
  isNoMatter,
  isSameIntent,
  isSameText,
  isSaving,
  lockedNotice,
  onlyKeptNotice,
  successNotice,
  writingProblem,
  type Intent,
  type Notice,
  type Writing,
} from "./write.ts";
import { createPostSender, type Outgoing } from "./post-sender.ts";
import { createSaveQueue } from "./save-queue.ts";

/** Somebody saved a newer version than the one on the screen. */
export interface Conflict {
  intent: Intent;
  /** They archived the post: it takes nothing before it is restored. */
  archived: boolean;
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
  /** 'Save anyway': repeats the refused write over the newer version; one that was archived is restored with it. True when the server has it. */
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
  /** Resolves when everything that is on its way to the screen has arrived. */
  settled(): Promise<void>;
  /** Something on the screen is not on the server. */
  isDirty(): boolean;
  onSaved(post: Post, sent: Outgoing): void;
  /** The server's post is newer, and says the same. */
  onTakenOver(post: Post): void;
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

  /** Goes on with a newer version that nobody has to be asked about: only its state is another. Answers that version and whether it did. */
  const look = useCallback(
    async (mayTake: (found: Post, base: Post) => boolean) => {
      const base = sender.base();
      const found = base && (await read(base.id).catch(() => null));
      const taken = found !== null && isSameText(base!, found) && mayTake(found, base!);
      if (!taken) return { found, taken };
      sender.takeOver(found);
      setPost(found);
      latest.current.onTakenOver(found);
      return { found, taken };
    },
    [sender, read, latest],
  );

  useEffect(
    () =>
      onPostEvent((event) => {
        const base = sender.base();
        if (event.type !== "post-upserted" || event.post.id !== base?.id || event.post.version <= base.version) return;
        // Without a word of one's own that would have to be restored with it, an archived post is shown as it is.
        const mayTake = (newer: PostSummary, older: Post) =>
          isNoMatter(older, newer) || (newer.status === "archived" && !latest.current.isDirty());
        if (mayTake(event.post, base)) void queue.run(() => look(mayTake));
      }),
    [sender, queue, look, latest],
  );

  const ask = useCallback(
    (error: ApiError, intent: Intent, archived: boolean) => {
      queue.hold();
      setTrouble(null);
      const { updated_at, updated_by_name } = error.conflict ?? {};
      setConflict({ intent, archived, updatedAt: updated_at ?? null, updatedByName: updated_by_name ?? null });
    },
    [queue],
  );

  const refuse = useCallback((error: unknown, intent: Intent, { created, quiet }: { created: boolean; quiet: boolean }) => {
    const code = error instanceof ApiError ? error.code : null;
    if (code === "published_post_locked") return say(lockedNotice, "error");
    if (code === "unauthenticated") {
      // The session's end has a dialog of its own; the text stays, and what saved itself does so again afterwards.
      if (intent.kind === "autosave") setTrouble({ reason: "unanswered" });
      return;
    }
    const now = saveTrouble(error, intent);
    setTrouble(now);
    if (!quiet) say({ ...failureNotice(intent, created), ...(now.reason === "refused" && { description: now.sentence }) }, "error");
  }, []);

  /** Sends what builds on the version that is known here. False when somebody has to answer first, or it cannot be done any more. */
  const send = useCallback(
    async (writing: Writing, intent: Intent) => {
      for (;;) {
        try {
          await sender.send(writing, intent, sender.base()?.version);
          return true;
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== "version_conflict") throw error;
          const { found, taken } = await look((newer, older) => isNoMatter(older, newer));
          const problem = taken ? writingProblem(writing, intent, sender.base()) : null;
          if (!taken) ask(error, intent, found?.status === "archived");
          else say(problem, "error");
          if (!taken || problem) return false;
        }
      }
    },
    [sender, look, ask],
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
        if (intent.kind !== "autosave") {
          setBusy(intent.kind);
          await latest.current.settled();
        }
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
        let has = before;
        if (before?.created) has = await sender.makeInstead(writing, intent);
        else if (before && (isSameIntent(before.intent, intent) || isSaving(before.intent))) await sender.repeat();
        else if (before) await sender.lookFor(); // never done twice, and no conflict with oneself
        if (intent.kind === "autosave" && sender.base()?.status !== "draft") return false; // now it is for the person to say
        const done = has !== null && isSameIntent(has.intent, intent) && has.writing.changes === writing.changes;
        if (!done && !(await send(writing, intent))) return false;
        say(successNotice(intent, created && sender.base()?.status === "draft"), "success");
        return true;
      }),
    [turn, sender, send, latest],
  );

  /** Finds out what became of the write that makes the post: what was not done is not done by itself any more, but the text is kept. */
  const keepCreation = useCallback(
    async ({ intent, writing }: Outgoing) => {
      const now = await latest.current.read().catch(() => writing);
      const save: Intent = { kind: "save" };
      const has = await sender.makeInstead(writingProblem(now, save, null) ? writing : now, save);
      const kept = isSaving(has.intent) && !isSaving(intent);
      say(kept ? onlyKeptNotice(intent) : successNotice(has.intent, true), kept ? "error" : "success");
    },
    [sender, latest],
  );

  const repeat = useCallback(async () => {
    const before = sender.unanswered();
    if (!before) return true;
    const work = async () => {
      if (sender.unanswered() !== before) return true; // another write was faster
      setBusy(before.intent.kind);
      if (before.created) return await keepCreation(before).then(() => true);
      if (isSaving(before.intent)) await sender.repeat();
      else if (!(await sender.lookFor())) {
        setTrouble(null);
        say(failureNotice(before.intent, false), "error");
        return true;
      }
      say(successNotice(before.intent, false), "success");
      return true;
    };
    return await turn(before.intent, work, true);
  }, [turn, sender, keepCreation]);

  const cancelConflict = useCallback(() => {
    queue.release();
    setConflict(null);
  }, [queue]);

  const overwrite = useCallback(async () => {
    if (!conflict) return false;
    const intent: Intent = conflict.archived ? { kind: "restore" } : conflict.intent;
    setBusy(intent.kind);
    try {
      await latest.current.settled();
      await sender.send(await latest.current.read(), intent, undefined);
      say(successNotice(intent, false) ?? { title: "Saved" }, "success");
      return true;
    } catch (error) {
      setTrouble(saveTrouble(error, intent));
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
