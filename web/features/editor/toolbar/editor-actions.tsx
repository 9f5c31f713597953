import type { PostStatus } from "#contract/kinds.ts";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PopupMenu, type MenuChoice } from "../../../ui/popup-menu.tsx";
import type { Intent } from "../../session/write.ts";
import { SaveState } from "../../session/save-state.tsx";
import { commandKey } from "./use-shortcuts.ts";
import { Row } from "../../../ui/layout.tsx";

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
  | "save-template"
  | "address"
  | "publication"
  | "preview"
  | "share"
  | "ask"
  | "propose"
  | "history"
  | "from-template"
  | "focus"
  | "shortcuts";

interface EditorActionsProps {
  status: PostStatus | null;
  dirty: boolean;
  autosaves: boolean;
  hasLocalCopy: boolean;
  behind: boolean;
  busy: Intent["kind"] | null;
  canWrite: boolean;
  isOut: boolean;
  needsApproval?: boolean;
  isApprovalRequested?: boolean;
  mobile: boolean;
  /** When the post was last saved. */
  savedAt: string | null;
  now: Date;
  focuses: boolean;
  onCommand(command: EditorCommand): void;
}

export function EditorActions({
  status,
  dirty,
  autosaves,
  hasLocalCopy,
  behind,
  busy,
  canWrite,
  isOut,
  needsApproval = false,
  isApprovalRequested = false,
  mobile,
  savedAt,
  now,
  focuses,
  onCommand,
}: EditorActionsProps) {
  const published = status === "published";
  const archived = status === "archived";
  const next = isApprovalRequested ? "secondary" : "primary";
  return (
    <>
      {canWrite && !archived && (
        <SaveState
          savedAt={savedAt}
          now={now}
          dirty={dirty}
          busy={busy !== null}
          autosaves={autosaves}
          hasLocalCopy={hasLocalCopy}
          behind={behind}
          short={mobile}
        />
      )}
      <Row nowrap>
        {canWrite && archived && <ArchivedActions busy={busy} onCommand={onCommand} />}
        {canWrite && !archived && (
          <>
            {!autosaves && (
              <Button
                variant={published && dirty ? "primary" : "secondary"}
                busy={busy === "save"}
                aria-keyshortcuts="Control+S Meta+S"
                onClick={() => onCommand("save")}
              >
                {published && needsApproval ? "Propose" : "Save"}
              </Button>
            )}
            {!published && !needsApproval && (
              <IconButton icon="calendar" label="Schedule" busy={busy === "schedule"} onClick={() => onCommand("schedule")} />
            )}
          </>
        )}
        {!archived && !mobile && (
          <Button variant="quiet" icon="eye" onClick={() => onCommand("preview")}>
            Preview
          </Button>
        )}
        {canWrite && !archived && !published && (
          <Button variant={next} busy={busy === "publish"} onClick={() => onCommand(needsApproval ? "ask" : "publish")}>
            {needsApproval ? "Request approval" : "Publish"}
          </Button>
        )}
        <PopupMenu label="More actions" choices={moreChoices({ status, canWrite, isOut, autosaves, mobile, focuses, onCommand })}>
          <Icon name="ellipsis-h" />
        </PopupMenu>
      </Row>
    </>
  );
}

function ArchivedActions({ busy, onCommand }: Pick<EditorActionsProps, "busy" | "onCommand">) {
  return (
    <>
      <Button variant="primary" busy={busy === "restore"} onClick={() => onCommand("restore")}>
        Restore as draft
      </Button>
      <IconButton icon="trash" label="Purge" style={{ color: "var(--danger)" }} onClick={() => onCommand("purge")} />
    </>
  );
}

type MenuProps = Pick<EditorActionsProps, "status" | "canWrite" | "isOut" | "autosaves" | "mobile" | "focuses" | "onCommand">;

const withCommand = (key: string) => ({
  shown: commandKey(key),
  aria: `Control+${key} Meta+${key}`,
});
const keys: Partial<Record<EditorCommand, MenuChoice["keys"]>> = {
  undo: withCommand("Z"),
  redo: withCommand("Shift+Z"),
  save: withCommand("S"),
  focus: withCommand("\\"),
};

function moreChoices({ status, canWrite, isOut, autosaves, mobile, focuses, onCommand }: MenuProps): MenuChoice[] {
  const changes = canWrite && status !== "archived";
  const choice = (command: EditorCommand, label: string, icon: MenuChoice["icon"]): MenuChoice => ({
    label,
    icon,
    keys: keys[command],
    onChoose: () => onCommand(command),
  });
  const steps = changes ? [choice("undo", "Undo", "undo"), choice("redo", "Redo", "refresh")] : [];
  const post = [
    ...(changes && autosaves ? [choice("save", "Save", "save")] : []),
    ...(mobile && status !== "archived" ? [choice("preview", "Preview", "eye")] : []),
    ...(changes && status === "scheduled" ? [choice("unschedule", "Unschedule", "times-circle")] : []),
    ...(changes && status === "published"
      ? [choice("address", "Change URL", "link"), choice("publication", "Date and author", "user")]
      : []),
    ...(status ? [choice("history", "History", "history")] : []),
    ...(changes && status && !isOut ? [choice("share", "Share preview", "share-alt")] : []),
  ];
  const elsewhere = [
    choice("copy-markdown", "Copy as Markdown", "copy"),
    ...(canWrite && status ? [choice("duplicate", "Duplicate", "clone")] : []),
    ...(canWrite ? [choice("save-template", "Save as template", "bookmark")] : []),
    ...(canWrite ? [choice("from-template", "New post from template", "file")] : []),
    ...(focuses ? [choice("focus", "Focus mode", "window-maximize")] : []),
    choice("shortcuts", "Keyboard shortcuts", "question-circle"),
  ];
  const removal =
    changes && status ? [choice("archive", "Archive", "eye-slash"), { ...choice("purge", "Purge", "trash"), danger: true }] : [];
  return [steps, post, elsewhere, removal]
    .filter((group) => group.length > 0)
    .flatMap((group, place) => group.map((one, index) => ({ ...one, apart: place > 0 && index === 0 })));
}
