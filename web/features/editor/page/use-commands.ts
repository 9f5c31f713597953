import { useRef, useState, type RefObject } from "react";
import { useNavigate } from "react-router-dom";
import type { Block } from "#contract/blocks/block-types.ts";
import { paths } from "../../../lib/paths.ts";
import { useIsCurrentPage } from "../../../lib/use-is-current-page.ts";
import type { Choices } from "#contract/merge/types.ts";
import type { Publication } from "#contract/posts.ts";
import type { EditorCommand } from "../toolbar/editor-actions.tsx";
import type { BlockEditorHandle } from "../use-block-editor.ts";
import { postMarkdown } from "../toolbar/post-markdown.ts";
import { usePostRemoval, type PostRemoval } from "../../posts/publishing/use-post-removal.ts";
import { useRestoreVersion } from "../../history/use-restore-version.ts";
import type { PostSession, PostView } from "../../session/session.ts";
import { useDuplicate } from "../../posts/templates/use-duplicate.ts";
import { writingProblem } from "../../session/write.ts";
import { openOverlay } from "../../../lib/overlays.ts";
import { toasts } from "../../../lib/toasts.ts";

export type DialogName =
  | "schedule"
  | "address"
  | "publication"
  | "history"
  | "archive"
  | "purge"
  | "publish"
  | "preview"
  | "share"
  | "ask"
  | "propose"
  | "save-template"
  | null;

export interface Commands {
  run(command: EditorCommand): void;
  dialog: DialogName;
  close(): void;
  compare(version: number): void;
  since: number | null;
  removal: PostRemoval;
  restoring: boolean;
  publish(publication: Publication): Promise<void>;
  schedule(publishAt: string, publication: Publication): Promise<void>;
  archive(): Promise<void>;
  purge(): Promise<void>;
  restoreVersion(version: number): Promise<void>;
  /** Changes blocks in the editor, unsaved and undoable; false if nothing changed. */
  restoreBlock(change: (now: readonly Block[]) => Block[] | null): Promise<boolean>;
  /** "Discard & Refresh". */
  discard(): Promise<void>;
  proposed(): Promise<void>;
  overwrite(): Promise<void>;
  saveMerged(choices: Choices): Promise<void>;
}

interface CommandsOptions {
  session: PostSession;
  view: PostView;
  body: RefObject<BlockEditorHandle | null>;
  workspaceId: string;
  onFocus(): void;
  onReopen(): void;
}

export function useCommands({ session, view, body, workspaceId, onFocus, onReopen }: CommandsOptions): Commands {
  const navigate = useNavigate();
  const leaving = useRef<Promise<unknown>>(undefined);
  const removal = usePostRemoval(view.post, async ({ id }) => {
    await leaving.current; // race: an immediate Undo must navigate last
    await navigate(paths.editPost(workspaceId, id));
  });
  const restoring = useRestoreVersion();
  const isHere = useIsCurrentPage();
  const duplicate = useDuplicate(session, view.post, (id) => void (isHere() && navigate(paths.editPost(workspaceId, id))));
  const [dialog, setDialog] = useState<DialogName>(null);
  const [since, setSince] = useState<number | null>(null);
  const close = () => {
    setDialog(null);
    setSince(null);
  };

  function remove(work: () => Promise<boolean>, permanently: boolean): Promise<void> {
    const done = removeAndLeave(work, permanently);
    leaving.current = done;
    return done;
  }

  async function removeAndLeave(work: () => Promise<boolean>, permanently: boolean) {
    if (!(await work())) return close();
    await session.abandonChanges(); // the post was removed: skip the leave dialog
    if (permanently) await session.clearDraft();
    await navigate(paths.changelog(workspaceId));
  }

  function run(command: Parameters<Commands["run"]>[0]) {
    if (command === "save" || command === "restore") void session.write({ kind: command });
    else if (command === "unschedule") void session.write({ kind: command }).then((done) => done && close());
    else if (command === "publish") void confirmPublish();
    else if (command === "undo" || command === "redo") body.current?.step(command);
    else if (command === "copy-markdown") void copyMarkdown(session);
    else if (command === "duplicate") void duplicate();
    else if (command === "shortcuts") openOverlay("shortcuts");
    else if (command === "focus") onFocus();
    else if (command === "from-template") openOverlay("templates");
    else if (command !== "schedule" || !refuseOffline("schedule")) setDialog(command);
  }

  async function confirmPublish() {
    if (refuseOffline("publish")) return;
    const writing = await session.read().catch(() => null);
    const problem = writing && writingProblem(writing, { kind: "publish" }, view.post, new Date());
    if (problem) toasts.error(problem.title, problem.description);
    else setDialog("publish");
  }

  async function resolveConflict(save: () => Promise<boolean>) {
    const intent = view.conflict?.intent.kind;
    if ((await save()) && (intent === "schedule" || intent === "publish" || intent === "unschedule")) close();
  }

  return {
    run,
    dialog,
    close,
    compare: (version) => {
      setSince(version);
      setDialog("history");
    },
    since,
    removal,
    restoring: restoring.busy,
    publish: async (publication) => {
      if (!refuseOffline("publish") && (await session.write({ kind: "publish", ...publication }))) close();
    },
    schedule: async (publishAt, publication) => {
      if (!refuseOffline("schedule") && (await session.write({ kind: "schedule", publishAt, ...publication }))) close();
    },
    archive: () => remove(removal.archive, false),
    purge: () => remove(removal.purge, true),
    restoreVersion: async (version) => {
      if (!(await restoring.restore(view.post, version))) return;
      await session.abandonChanges();
      onReopen();
    },
    restoreBlock: (change) => restoreBlock(session, body, change),
    discard: async () => {
      await session.abandonChanges();
      onReopen();
    },
    proposed: async () => {
      await session.abandonChanges();
      await session.clearDraft();
      onReopen();
    },
    overwrite: () => resolveConflict(session.overwrite),
    saveMerged: (choices) => resolveConflict(() => session.saveMerged(choices)),
  };
}

function refuseOffline(action: "publish" | "schedule"): boolean {
  if (navigator.onLine) return false;
  toasts.error("You're offline", `Connect to the internet to ${action} this post.`);
  return true;
}

/** Race: does nothing if a colleague's save arrived meanwhile, or their change would be lost. */
async function restoreBlock(
  session: PostSession,
  body: RefObject<BlockEditorHandle | null>,
  change: (now: readonly Block[]) => Block[] | null,
) {
  const version = session.getSnapshot().post?.version;
  const { content } = await session.read();
  const blocks = change(content.blocks);
  if (blocks === null || session.getSnapshot().post?.version !== version || !body.current) {
    toasts.info("Nothing changed", "This block has changed since");
    return false;
  }
  await body.current.replace({ ...content, blocks });
  session.bodyChanged();
  toasts.success("Block updated", "Use Undo to revert it");
  return true;
}

async function copyMarkdown(session: PostSession): Promise<void> {
  try {
    await navigator.clipboard.writeText(postMarkdown(await session.read()));
    toasts.success("Copied as Markdown");
  } catch {
    toasts.error("Unable to get editor data", "Please try again");
  }
}
