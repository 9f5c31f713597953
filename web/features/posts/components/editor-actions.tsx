import type { Post } from "#contract/posts.ts";
import { Button } from "../../../components/button.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { PopupMenu, type MenuChoice } from "../../../components/popup-menu.tsx";
import type { Intent } from "../model/write.ts";
import { SaveState } from "./save-state.tsx";
import css from "./editor-actions.module.css";

/** Everything that can be asked for from the toolbar. */
export type EditorCommand =
  | "undo"
  | "redo"
  | "save"
  | "publish"
  | "schedule"
  | "unschedule"
  | "restore"
  | "archive"
  | "purge"
  | "copy-markdown"
  | "history"
  | "shortcuts";

interface EditorActionsProps {
  post: Post | null;
  dirty: boolean;
  /** This device holds a copy of what is unsaved. */
  kept: boolean;
  busy: Intent["kind"] | null;
  canWrite: boolean;
  onCommand(command: EditorCommand): void;
}

/** Save, schedule, publish, and the rest behind a menu. Without the right to write only what reads is left. */
export function EditorActions({ post, dirty, kept, busy, canWrite, onCommand }: EditorActionsProps) {
  const published = post?.status === "published";
  if (post?.status === "archived") return <ArchivedActions canWrite={canWrite} onCommand={onCommand} />;
  return (
    <>
      {canWrite && (
        <>
          <SaveState saved={post !== null} dirty={dirty} busy={busy !== null} kept={kept} />
          <Button
            variant={published ? "primary" : "secondary"}
            busy={busy === "save"}
            aria-keyshortcuts="Control+S Meta+S"
            onClick={() => onCommand("save")}
          >
            Save
          </Button>
          {!published && (
            <>
              <IconButton icon="calendar" label="Schedule" busy={busy === "schedule"} onClick={() => onCommand("schedule")} />
              <Button variant="primary" busy={busy === "publish"} onClick={() => onCommand("publish")}>
                Publish
              </Button>
            </>
          )}
        </>
      )}
      <PopupMenu className={css.more} label="More actions" choices={moreChoices(post, canWrite, onCommand)}>
        <Icon name="ellipsis-h" />
      </PopupMenu>
    </>
  );
}

function ArchivedActions({ canWrite, onCommand }: Pick<EditorActionsProps, "canWrite" | "onCommand">) {
  if (!canWrite) return null;
  return (
    <>
      <Button variant="primary" onClick={() => onCommand("restore")}>
        Restore as draft
      </Button>
      <IconButton icon="trash" label="Purge" onClick={() => onCommand("purge")} />
    </>
  );
}

function moreChoices(post: Post | null, canWrite: boolean, onCommand: (command: EditorCommand) => void): MenuChoice[] {
  const choice = (command: EditorCommand, label: string, icon: MenuChoice["icon"]): MenuChoice => ({
    label,
    icon,
    onChoose: () => onCommand(command),
  });
  return [
    ...(canWrite ? [choice("undo", "Undo", "undo"), choice("redo", "Redo", "refresh")] : []),
    ...(canWrite && post?.status === "scheduled" ? [choice("unschedule", "Unschedule", "times-circle")] : []),
    ...(post ? [choice("history", "History", "history")] : []),
    choice("copy-markdown", "Copy as Markdown", "copy"),
    choice("shortcuts", "Keyboard shortcuts", "question-circle"),
    ...(canWrite && post ? [choice("archive", "Archive", "eye-slash"), choice("purge", "Purge", "trash")] : []),
  ];
}
