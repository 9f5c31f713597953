import type { PostStatus } from "#contract/kinds.ts";
import { Button } from "../../../components/button.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { PopupMenu, type MenuChoice } from "../../../components/popup-menu.tsx";
import type { Intent } from "../session/write.ts";
import { SaveState } from "../session/save-state.tsx";
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
  | "duplicate"
  | "keep-template"
  | "address"
  | "publication"
  | "preview"
  | "share"
  | "ask"
  | "propose"
  | "history"
  | "shortcuts";

interface EditorActionsProps {
  /** As it is now; null for a post that was never saved. */
  status: PostStatus | null;
  dirty: boolean;
  /** What is unsaved goes to the server by itself. */
  itself: boolean;
  /** This device holds a copy of what is unsaved. */
  kept: boolean;
  /** There is a newer version, which is not on the screen. */
  behind: boolean;
  busy: Intent["kind"] | null;
  canWrite: boolean;
  /** Readers see it already. */
  isOut: boolean;
  /** What this person publishes a second one approves first. */
  needsApproval?: boolean;
  onCommand(command: EditorCommand): void;
}

/** Save, schedule, publish, and the rest behind a menu. Without the right to write only what reads is left. */
export function EditorActions({
  status,
  dirty,
  itself,
  kept,
  behind,
  busy,
  canWrite,
  isOut,
  needsApproval = false,
  onCommand,
}: EditorActionsProps) {
  const published = status === "published";
  const archived = status === "archived";
  return (
    <>
      {canWrite && archived && <ArchivedActions busy={busy} onCommand={onCommand} />}
      {canWrite && !archived && (
        <>
          <SaveState saved={status !== null} dirty={dirty} busy={busy !== null} itself={itself} kept={kept} behind={behind} />
          <Button
            variant={published ? "primary" : "secondary"}
            busy={busy === "save"}
            aria-keyshortcuts="Control+S Meta+S"
            onClick={() => onCommand("save")}
          >
            {published && needsApproval ? "Propose" : "Save"}
          </Button>
          {!published && needsApproval && (
            <Button variant="primary" aria-label="Ask for approval" onClick={() => onCommand("ask")}>
              Ask<span className={css.roomy}> for approval</span>
            </Button>
          )}
          {!published && !needsApproval && (
            <>
              <IconButton icon="calendar" label="Schedule" busy={busy === "schedule"} onClick={() => onCommand("schedule")} />
              <Button variant="primary" busy={busy === "publish"} onClick={() => onCommand("publish")}>
                Publish
              </Button>
            </>
          )}
        </>
      )}
      {!archived && <IconButton icon="eye" label="Preview" onClick={() => onCommand("preview")} />}
      <PopupMenu className={css.more} label="More actions" choices={moreChoices(status, canWrite, isOut, onCommand)}>
        <Icon name="ellipsis-h" />
      </PopupMenu>
    </>
  );
}

function ArchivedActions({ busy, onCommand }: Pick<EditorActionsProps, "busy" | "onCommand">) {
  return (
    <>
      <Button variant="primary" busy={busy === "restore"} onClick={() => onCommand("restore")}>
        Restore as draft
      </Button>
      <IconButton icon="trash" label="Purge" className={css.danger} onClick={() => onCommand("purge")} />
    </>
  );
}

function moreChoices(
  status: PostStatus | null,
  canWrite: boolean,
  isOut: boolean,
  onCommand: (command: EditorCommand) => void,
): MenuChoice[] {
  const changes = canWrite && status !== "archived";
  const choice = (command: EditorCommand, label: string, icon: MenuChoice["icon"]): MenuChoice => ({
    label,
    icon,
    onChoose: () => onCommand(command),
  });
  return [
    ...(changes ? [choice("undo", "Undo", "undo"), choice("redo", "Redo", "refresh")] : []),
    ...(changes && status === "scheduled" ? [choice("unschedule", "Unschedule", "times-circle")] : []),
    ...(changes && status === "published"
      ? [choice("address", "Change the address", "link"), choice("publication", "Date and author", "user")]
      : []),
    ...(status ? [choice("history", "History", "history")] : []),
    ...(changes && status && !isOut ? [choice("share", "Share a preview", "link")] : []),
    choice("copy-markdown", "Copy as Markdown", "copy"),
    ...(canWrite && status ? [choice("duplicate", "Duplicate", "copy")] : []),
    ...(canWrite ? [choice("keep-template", "Keep as template", "bookmark")] : []),
    choice("shortcuts", "Keyboard shortcuts", "question-circle"),
    ...(changes && status ? [choice("archive", "Archive", "eye-slash"), { ...choice("purge", "Purge", "trash"), danger: true }] : []),
  ];
}
