import { Suspense } from "react";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { useDialogQueue } from "../../../ui/dialog-queue.ts";
import { ConflictDialog } from "../../session/conflict/conflict-dialog.tsx";
import { PublishDialog } from "../../posts/publishing/publish-dialog.tsx";
import type { PostSession, PostView } from "../../session/session.ts";
import type { ReviewState } from "../../review/use-review.ts";
import { LeaveQuestion } from "./leave-question.tsx";
import type { Commands } from "./use-commands.ts";
import type { Leaving } from "./use-leave-guard.ts";
import { lazyPart } from "../../../ui/lazy-part.tsx";

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
      return (
        <Suspense>
          <PreviewDialog post={post} read={session.read} onClose={close} />
        </Suspense>
      );
    case "share":
      return (
        post && (
          <Suspense>
            <ShareDialog post={post} behind={view.dirty && !view.autosaves} onClose={close} />
          </Suspense>
        )
      );
    case "ask":
      return (
        <Suspense>
          <AskDialog session={session} view={view} standing={standing} onClose={close} />
        </Suspense>
      );
    case "propose":
      return (
        <Suspense>
          <ProposeDialog
            session={session}
            view={view}
            standing={standing}
            userId={userId}
            onProposed={() => void commands.proposed()}
            onClose={close}
          />
        </Suspense>
      );
    case "publication":
      return (
        post && (
          <Suspense>
            <PublicationDialog post={post} onClose={close} />
          </Suspense>
        )
      );
    case "address":
      return (
        post && (
          <Suspense>
            <AddressDialog post={post} onClose={close} />
          </Suspense>
        )
      );
    case "save-template":
      return (
        <Suspense>
          <SaveTemplateDialog workspaceId={workspaceId} title={view.title} read={session.readWhole} onClose={close} />
        </Suspense>
      );
    case "history":
      return (
        post && (
          <Suspense>
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
          </Suspense>
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
