import { useRef, useState, type RefObject } from "react";
import { useNavigate } from "react-router-dom";
import type { Block } from "#contract/blocks/block-types.ts";
import { paths } from "../../../lib/paths.ts";
import { useIsHere } from "../../../lib/use-is-here.ts";
import type { Choices } from "#contract/merge/types.ts";
import type { EditorCommand } from "../toolbar/editor-actions.tsx";
import type { BlockEditorHandle } from "../editor/use-block-editor.ts";
import { postMarkdown } from "../toolbar/post-markdown.ts";
import { usePostRemoval, type PostRemoval } from "../publishing/use-post-removal.ts";
import { useRestoreVersion } from "../history/use-restore-version.ts";
import type { PostSession, PostView } from "../session/session.ts";
import { useDuplicate } from "../templates/use-duplicate.ts";
import { writingProblem } from "../session/write.ts";
import { openOverlay } from "../../../lib/overlays.ts";
import { toasts } from "../../../lib/toasts.ts";

export type Asking =
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
  | "keep-template"
  | null;

export interface Commands {
  run(command: EditorCommand): void;
  /** The dialog that waits for an answer. */
  asking: Asking;
  close(): void;
  /** Shows what is another since a version. */
  compare(version: number): void;
  /** That version; null where none was named. */
  since: number | null;
  removal: PostRemoval;
  restoring: boolean;
  /** `notify`: whether readers are told by mail. */
  publish(notify?: boolean): Promise<void>;
  schedule(publishAt: string, notify?: boolean): Promise<void>;
  archive(): Promise<void>;
  purge(): Promise<void>;
  /** Makes an earlier version the newest one and shows it. */
  restoreVersion(version: number): Promise<void>;
  /** Changes the blocks on the screen, as an unsaved change that can be taken back; false when nothing came of it. */
  bringBack(change: (now: readonly Block[]) => Block[] | null): Promise<boolean>;
  /** 'Discard & Refresh'. */
  discard(): Promise<void>;
  /** What is on the screen is with those who decide: the page shows what readers see again. */
  proposed(): Promise<void>;
  /** 'Save anyway'. */
  overwrite(): Promise<void>;
  /** 'Save merged'. */
  saveMerged(choices: Choices): Promise<void>;
}

interface CommandsOptions {
  session: PostSession;
  view: PostView;
  body: RefObject<BlockEditorHandle | null>;
  workspaceId: string;
  onShortcuts(): void;
  onFocus(): void;
  onReopen(): void;
}

/** What the toolbar, the menu and the keyboard can ask for. */
export function useCommands({ session, view, body, workspaceId, onShortcuts, onFocus, onReopen }: CommandsOptions): Commands {
  const navigate = useNavigate();
  const leaving = useRef<Promise<unknown>>(undefined);
  const removal = usePostRemoval(view.post, async ({ id }) => {
    await leaving.current; // whoever takes it back at once comes back last
    await navigate(paths.editPost(workspaceId, id));
  });
  const restoring = useRestoreVersion();
  const isHere = useIsHere();
  const duplicate = useDuplicate(session, view.post, (id) => void (isHere() && navigate(paths.editPost(workspaceId, id))));
  const [asking, setAsking] = useState<Asking>(null);
  const [since, setSince] = useState<number | null>(null);
  const close = () => {
    setAsking(null);
    setSince(null);
  };

  function remove(work: () => Promise<boolean>, forGood: boolean): Promise<void> {
    const done = removeAndLeave(work, forGood);
    leaving.current = done;
    return done;
  }

  async function removeAndLeave(work: () => Promise<boolean>, forGood: boolean) {
    if (!(await work())) return close();
    await session.letGo(); // the post is gone from the list: nothing to ask about
    if (forGood) await session.dropDraft();
    await navigate(paths.changelog(workspaceId));
  }

  function run(command: Parameters<Commands["run"]>[0]) {
    if (command === "save" || command === "restore") void session.write({ kind: command });
    else if (command === "unschedule") void session.write({ kind: command }).then((done) => done && close());
    else if (command === "publish") void askToPublish();
    else if (command === "undo" || command === "redo") body.current?.step(command);
    else if (command === "copy-markdown") void copyMarkdown(session);
    else if (command === "duplicate") void duplicate();
    else if (command === "shortcuts") onShortcuts();
    else if (command === "focus") onFocus();
    else if (command === "from-template") openOverlay("templates");
    else if (command !== "schedule" || !refuseOffline("schedule")) setAsking(command);
  }

  /** Says at once what is missing, not after the question. */
  async function askToPublish() {
    if (refuseOffline("publish")) return;
    const writing = await session.read().catch(() => null);
    const problem = writing && writingProblem(writing, { kind: "publish" }, view.post, new Date());
    if (problem) toasts.error(problem.title, problem.description);
    else setAsking("publish");
  }

  /** Of a conflict; what was asked for when it was met needs no asking any more once that is done. */
  async function answer(save: () => Promise<boolean>) {
    const asked = view.conflict?.intent.kind;
    if ((await save()) && (asked === "schedule" || asked === "publish" || asked === "unschedule")) close();
  }

  return {
    run,
    asking,
    close,
    compare: (version) => {
      setSince(version);
      setAsking("history");
    },
    since,
    removal,
    restoring: restoring.busy,
    publish: async (notify) => {
      if (refuseOffline("publish")) return;
      close(); // the toolbar says how it goes, and writing goes on
      await session.write({ kind: "publish", notify });
    },
    schedule: async (publishAt, notify) => {
      if (!refuseOffline("schedule") && (await session.write({ kind: "schedule", publishAt, notify }))) close();
    },
    archive: () => remove(removal.archive, false),
    purge: () => remove(removal.purge, true),
    restoreVersion: async (version) => {
      if (!(await restoring.restore(view.post, version))) return;
      await session.letGo();
      onReopen();
    },
    bringBack: (change) => bringBack(session, body, change),
    discard: async () => {
      await session.letGo();
      onReopen();
    },
    proposed: async () => {
      await session.letGo();
      await session.dropDraft();
      onReopen();
    },
    overwrite: () => answer(session.overwrite),
    saveMerged: (choices) => answer(() => session.saveMerged(choices)),
  };
}

/** True if the browser is offline; then the person is told. */
function refuseOffline(action: "publish" | "schedule"): boolean {
  if (navigator.onLine) return false;
  toasts.error("You're offline", `Connect to the internet to ${action} this post.`);
  return true;
}

/** Nothing of it happens when a colleague's save arrived in that moment: it would be gone from the screen and count as deleted. */
async function bringBack(
  session: PostSession,
  body: RefObject<BlockEditorHandle | null>,
  change: (now: readonly Block[]) => Block[] | null,
) {
  const shown = session.getSnapshot().post?.version;
  const { content } = await session.read();
  const blocks = change(content.blocks);
  if (blocks === null || session.getSnapshot().post?.version !== shown || !body.current) {
    toasts.info("Nothing was changed", "The block is another one by now");
    return false;
  }
  await body.current.replace({ ...content, blocks });
  session.bodyChanged();
  toasts.success("Changed in the text", "Undo takes it back");
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
