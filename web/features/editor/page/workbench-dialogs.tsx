import { useDialogQueue } from "../../../ui/dialog-queue.ts";
import type { PostSession, PostView } from "../../session/session.ts";
import type { ReviewState } from "../../review/use-review.ts";
import type { Commands } from "./use-commands.ts";
import type { Leaving } from "./use-leave-guard.ts";
import { lazyPart } from "../../../ui/lazy-part.tsx";

const ConfirmDialog = lazyPart(() => import("../../../ui/confirm-dialog.tsx"), "ConfirmDialog");
const ConflictDialog = lazyPart(() => import("../../session/conflict/conflict-dialog.tsx"), "ConflictDialog");
const LeaveQuestion = lazyPart(() => import("./leave-question.tsx"), "LeaveQuestion");
const PublishDialog = lazyPart(() => import("../../posts/publishing/publish-dialog.tsx"), "PublishDialog");
const PreviewDialog = lazyPart(() => import("../../posts/publishing/preview-dialog.tsx"), "PreviewDialog");
const HistoryDialog = lazyPart(() => import("../../history/history-dialog.tsx"), "HistoryDialog");
const PublicationDialog = lazyPart(() => import("../../posts/publishing/publication-dialog.tsx"), "PublicationDialog");
const ShareDialog = lazyPart(() => import("../../posts/preview-links/share-dialog.tsx"), "ShareDialog");
const AddressDialog = lazyPart(() => import("../../posts/publishing/address-dialog.tsx"), "AddressDialog");

const AskDialog = lazyPart(() => import("../../review/ask-dialog.tsx"), "AskDialog");
const ProposeDialog = lazyPart(() => import("../../review/propose-dialog.tsx"), "ProposeDialog");
const SaveTemplateDialog = lazyPart(() => import("../../posts/templates/save-template-dialog.tsx"), "SaveTemplateDialog");

interface WorkbenchDialogsProps {
  workspaceId: string;
  session: PostSession;
  view: PostView;
  canWrite: boolean;
  commands: Commands;
  leaving: Leaving;
  standing: ReviewState;
  userId: string;
}

/**
 * At most one dialog. A conflict comes first, because nothing is saved before it is resolved; one found by an autosave waits until other dialogs
 * are closed.
 */
export function WorkbenchDialogs({ workspaceId, session, view, canWrite, commands, leaving, standing, userId }: WorkbenchDialogsProps) {
  const { post, conflict, busy } = view;
  const { dialog, close, removal } = commands;
  const isTurn = useDialogQueue(conflict !== null, !view.conflictCanWait);
  if (conflict && post && isTurn && (dialog === null || !view.conflictCanWait)) {
    return (
      <ConflictDialog
        conflict={conflict}
        post={post}
        busy={busy !== null}
        hasLocalCopy={view.draftProblem === null}
        read={session.read}
        onMerge={(choices) => void commands.saveMerged(choices)}
        onOverwrite={() => void commands.overwrite()}
        onCopy={() => commands.run("copy-markdown")}
        onDiscard={() => void commands.discard()}
        onCancel={session.cancelConflict}
      />
    );
  }
  if (leaving.isAsking) return <LeaveQuestion session={session} view={view} leaving={leaving} />;
  switch (dialog) {
    case "schedule":
    case "publish":
      return (
        <PublishDialog
          post={post}
          title={view.title}
          tags={view.tags}
          shownTo={view.details.audience}
          when={dialog === "publish" ? "now" : "later"}
          busy={busy}
          slugProblem={view.slugProblem}
          read={session.read}
          onPublish={(publication) => void commands.publish(publication)}
          onSchedule={(at, publication) => void commands.schedule(at, publication)}
          onUnschedule={() => commands.run("unschedule")}
          onPreview={() => commands.run("preview")}
          onClose={close}
        />
      );
    case "preview":
      return <PreviewDialog post={post} read={session.read} onClose={close} />;
    case "share":
      return post && <ShareDialog post={post} behind={view.dirty && !view.autosaves} onClose={close} />;
    case "ask":
      return <AskDialog session={session} view={view} standing={standing} onClose={close} />;
    case "propose":
      return (
        <ProposeDialog
          session={session}
          view={view}
          standing={standing}
          userId={userId}
          onProposed={() => void commands.proposed()}
          onClose={close}
        />
      );
    case "publication":
      return post && <PublicationDialog post={post} onClose={close} />;
    case "address":
      return post && <AddressDialog post={post} onClose={close} />;
    case "save-template":
      return <SaveTemplateDialog workspaceId={workspaceId} title={view.title} read={session.readWhole} onClose={close} />;
    case "history":
      return (
        post && (
          <HistoryDialog
            post={post}
            since={commands.since}
            canRestore={canWrite && post.status !== "archived"}
            busy={commands.restoring}
            read={session.read}
            onRestore={(version) => void commands.restoreVersion(version)}
            onRestoreBlock={commands.restoreBlock}
            onRefresh={() => void commands.discard()}
            onClose={close}
          />
        )
      );
    case "archive":
      return (
        <ConfirmDialog
          title="Archive this post?"
          confirm="Archive"
          busy={removal.busy}
          onConfirm={() => void commands.archive()}
          onClose={close}
        >
          <p>It will be removed from your page and lists right away. You can restore it as a draft from the Archived filter.</p>
        </ConfirmDialog>
      );
    case "purge":
      return (
        <ConfirmDialog
          title="Purge this post?"
          confirm="Purge"
          danger
          busy={removal.busy}
          onConfirm={() => void commands.purge()}
          onClose={close}
        >
          <p>The post, its history and its images will be permanently deleted. This can't be undone.</p>
        </ConfirmDialog>
      );
    case null:
      return null;
  }
}
