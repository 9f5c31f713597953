import { Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import type { Thread } from "#contract/comments.ts";
import type { Post } from "#contract/posts.ts";
import type { Template } from "#contract/templates.ts";
import type { Profile } from "#contract/profile.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import { paths } from "../../../lib/paths.ts";
import { CommentsBeside } from "../../comments/comments-beside.tsx";
import { CommentsButton } from "../../comments/comments-button.tsx";
import { useComments } from "../../comments/use-comments.ts";
import { DetailsBar } from "../../posts/details/details-bar.tsx";
import { ProductBar } from "../../posts/details/product-bar.tsx";
import { RequestsBar } from "../../posts/details/requests-bar.tsx";
import { EarlyText } from "../early-text.tsx";
import { PostBody } from "../post-body.tsx";
import { TitleInput } from "../title-input.tsx";
import type { BlockEditorHandle } from "../use-block-editor.ts";
import { DraftNotices } from "../../session/draft-notices.tsx";
import { EditorActions, type EditorCommand } from "../toolbar/editor-actions.tsx";
import { QuickToolbar } from "../toolbar/quick-toolbar.tsx";
import { useMarkedBlocks } from "../../session/conflict/use-marked-blocks.ts";
import { NewerNotice } from "../../session/conflict/newer-notice.tsx";
import { Notices } from "../../session/notices.tsx";
import { SaveNotice } from "../../session/save-notice.tsx";
import { useOnline } from "../../session/use-online.ts";
import { StatusBanner } from "../../posts/publishing/status-banner.tsx";
import { TagBar } from "../../posts/tags/tag-bar.tsx";
import { usePostSession } from "../../session/use-post-session.ts";
import { useShortcuts } from "../toolbar/use-shortcuts.ts";
import { PostViews } from "../../analytics/post/post-views.tsx";
import { PresenceAvatars } from "../../presence/presence-avatars.tsx";
import { usePresence } from "../../presence/use-presence.ts";
import { OthersInBlocks, useFollowCaret } from "../../presence/others-in-blocks.tsx";
import { useMarkPublic, useRefreshAccess } from "../../workspaces/use-workspaces.ts";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import { publicAddress, useConfig } from "../../../lib/config.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useIsMobile, useMediaQuery } from "../../../lib/use-media-query.ts";
import { useNow } from "../../../lib/use-now.ts";
import { usePageTitle } from "../../../lib/use-page-title.ts";
import type { ChangelogArea } from "./area-context.ts";
import type { EditorLocationState, EditorVisit } from "./editor-visit.ts";
import { useCommands } from "./use-commands.ts";
import { hasReviewInfo, commandFor, isApprovalRequested, useReview } from "../../review/use-review.ts";
import { useLeaveGuard } from "./use-leave-guard.ts";
import { usePreload } from "./use-preload.ts";
import { WorkbenchDialogs } from "./workbench-dialogs.tsx";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import css from "./page.module.css";

export interface OpenPostProps {
  visit: EditorVisit;
  area: ChangelogArea;
  onReopen(): void;
}

interface WorkbenchProps extends OpenPostProps {
  opened: Post | null;
  threads: readonly Thread[];
  template: Template | null;
  profile: Profile;
}

const ReviewBar = lazyPart(() => import("../../review/review-bar.tsx"), "ReviewBar", { inPlace: true });

const tickMs = 10_000;

export function Workbench({ opened, template, threads, profile, visit, area, onReopen }: WorkbenchProps) {
  const { workspace, role, canWrite } = useCurrentWorkspace();
  const host = useConfig()?.host;
  const navigate = useNavigate();
  const { workspaceId: addressed } = useParams();
  const body = useRef<BlockEditorHandle>(null);
  const [ready, setReady] = useState(false);
  const attach = useCallback((handle: BlockEditorHandle | null) => {
    body.current = handle;
    setReady(handle !== null);
  }, []);
  const [editorReady, setEditorReady] = useState(false);
  const early = useRef<HTMLTextAreaElement>(null);
  const [isTypingEarly, setIsTypingEarly] = useState(false);
  const [userId] = useState(profile.user_id);

  const isLeaving = useRef(false); // don't replace the URL meanwhile
  const onHeld = useCallback(() => void (isLeaving.current = true), []);
  const createdPost = useRef<Post | null>(null);
  const onCreated = useCallback(
    (post: Post) => {
      if (!body.current) return;
      if (isLeaving.current) return void (createdPost.current = post);
      const state: EditorLocationState = { editorKey: visit.key };
      const to = addressed ? paths.editPost(post.workspace_id, post.id) : paths.editPostAnywhere(post.id);
      void navigate(to, { replace: true, state, preventScrollReset: true });
    },
    [navigate, visit.key, addressed],
  );
  const { session, view } = usePostSession({
    workspaceId: workspace.id,
    userId,
    opened,
    template,
    body,
    onCreated,
    onCompare: (version) => commands.compare(version),
  });
  const { post, title, tags, summary, cover_image: cover, details, dirty, busy, trouble } = view;
  const hasLocalCopy = view.draftProblem === null;
  const now = useNow(tickMs);
  const status = post && statusAt(post, now);
  const editable = canWrite && status !== "archived";
  const leaving = useLeaveGuard(session, view, visit, onHeld);
  useLayoutEffect(() => {
    isLeaving.current = leaving.isHeld;
    const post = createdPost.current;
    if (leaving.isHeld || !post) return;
    createdPost.current = null;
    onCreated(post);
  }, [leaving.isHeld, onCreated]);
  const online = useOnline();
  const mobile = useIsMobile();
  const narrow = useMediaQuery("(width < 1024px)");
  const quietTrouble = view.isTransient || (view.isAutosaveTrouble && !online && hasLocalCopy);
  const autosaves = view.autosaves && (trouble === null || view.isTransient) && view.newer === null;
  const commands = useCommands({
    session,
    view,
    body,
    workspaceId: workspace.id,
    onFocus: () => area.columns?.toggle("focus"),
    onReopen,
  });
  const review = useReview(workspace.id, post, role);
  const run = (command: EditorCommand) => commands.run(commandFor(command, review, status));
  const self = { userId, fullName: profile.full_name, avatarUrl: profile.avatar_url };
  const refreshAccess = useRefreshAccess(workspace.id);
  const presence = usePresence(workspace.id, post?.id ?? null, self, refreshAccess);
  const writing = useFollowCaret(editable, presence.setDoing);
  const writeBelow = (blockId: string, words: string) => body.current?.writeBelow(blockId, words);
  const comments = useComments({ workspaceId: workspace.id, postId: post?.id ?? null, userId, loaded: threads, canWrite });
  const article = useRef<HTMLElement>(null);
  const lostAccess = trouble?.reason === "gone" || trouble?.reason === "forbidden";
  useEffect(() => {
    if (lostAccess) refreshAccess();
  }, [lostAccess, refreshAccess]);
  const markPublic = useMarkPublic(workspace.id);
  const latestWorkspace = useLatest(workspace);
  useLayoutEffect(() => {
    if (post?.public_changelog_enabled && !latestWorkspace.current.public_changelog_enabled) markPublic();
  }, [post, latestWorkspace, markPublic]);
  usePreload();
  useMarkedBlocks(writing, view.openConflicts?.blocks ?? [], `${view.newer?.updated_by_name ?? "Someone"} also changed this`);
  usePageTitle(title || (post ? "Untitled" : "New post"), workspace.name);
  useShortcuts(editable ? { onSave: () => run("save"), onPublish: () => run(status === "published" ? "save" : "publish") } : {});

  const focusText = () => (editorReady ? body.current?.focus() : setIsTypingEarly(true));
  const onReady = () => {
    setEditorReady(true);
    if (!isTypingEarly) return;
    body.current?.focus(early.current?.value);
    setIsTypingEarly(false);
  };
  /** On a published post it asks for a decision, so it comes before the status. */
  const reviewBar = post && status && canWrite && hasReviewInfo(review) && (
    <Suspense>
      <ReviewBar
        post={post}
        status={status}
        standing={review}
        userId={userId}
        now={now}
        dirty={dirty}
        onDecided={() => void (session.isDirty() || commands.discard())}
        onTake={session.restore}
      />
    </Suspense>
  );
  return (
    <>
      <h1 className="visually-hidden">{post ? "Edit post" : "New post"}</h1>
      <QuickToolbar
        presence={
          <>
            <PresenceAvatars participants={presence.participants} compact={narrow} />
            <CommentsButton comments={comments} />
          </>
        }
        actions={
          <EditorActions
            status={status}
            dirty={dirty}
            autosaves={autosaves}
            hasLocalCopy={hasLocalCopy}
            behind={view.behind}
            busy={busy}
            canWrite={canWrite}
            isOut={status === "published" && workspace.public_changelog_enabled && details.audience === null}
            needsApproval={review.needsApproval}
            isApprovalRequested={isApprovalRequested(review, status)}
            mobile={mobile}
            savedAt={post?.updated_at ?? null}
            now={now}
            focuses={area.columns !== null}
            onCommand={run}
          />
        }
      />
      <article ref={article} className={css.article}>
        <Notices sticky={view.newer !== null}>
          {trouble && !quietTrouble && (
            <SaveNotice
              trouble={trouble}
              hasLocalCopy={hasLocalCopy}
              onCopy={() => commands.run("copy-markdown")}
              onSaveAsNew={() => void session.saveAsNew()}
            />
          )}
          {view.newer && !view.conflict && (
            <NewerNotice
              newer={view.newer}
              now={now}
              dirty={dirty}
              autosaves={view.autosaves}
              isMerged={view.openConflicts !== null}
              onCompare={() => void session.write({ kind: post?.status === "draft" ? "autosave" : "save" })}
              onShow={() => void commands.discard()}
            />
          )}
          <DraftNotices
            offered={view.offered}
            problem={view.draftProblem}
            autosaves={view.autosaves}
            version={post?.version ?? null}
            editable={editable}
            ready={ready}
            onRestore={(draft) => void session.restore(draft)}
            onForget={session.forgetDraft}
          />
          {status === "published" && reviewBar}
          {post && (
            <StatusBanner
              post={post}
              now={now}
              canWrite={canWrite}
              releaseUrl={host ? `${publicAddress(workspace, host)}/${post.slug}` : null}
              isPublic={workspace.public_changelog_enabled}
              isOwner={role === "owner"}
              numbers={<PostViews workspaceId={workspace.id} postId={post.id} />}
              busy={busy === "unschedule"}
              onReschedule={() => run("schedule")}
              onUnschedule={() => commands.run("unschedule")}
            />
          )}
          {status !== "published" && reviewBar}
        </Notices>
        <div ref={writing}>
          <TitleInput
            value={title}
            readOnly={!editable}
            autoFocus={opened === null && editable}
            onChange={session.setTitle}
            onLeave={focusText}
          />
          <TagBar workspaceId={workspace.id} tags={tags} otherTags={area.browser.tags} canWrite={editable} onChange={session.setTags} />
          <DetailsBar
            workspaceId={workspace.id}
            summary={summary}
            cover={cover}
            canWrite={editable}
            read={session.read}
            onSummary={session.setSummary}
            onCover={session.setCover}
            onUpload={session.trackUpload}
          />
          <ProductBar details={details} canWrite={editable} onChange={session.setDetails} />
          {post && <RequestsBar key={post.id} post={post} canWrite={editable} />}
          {isTypingEarly && <EarlyText ref={early} onChange={session.bodyChanged} />}
          <PostBody
            handle={attach}
            content={session.initialContent}
            readOnly={!editable}
            workspaceId={workspace.id}
            onChange={session.bodyChanged}
            onUpload={session.uploaded}
            onReady={onReady}
          />
          <OthersInBlocks area={writing} participants={presence.participants} editable={editable} onWriteBelow={writeBelow} />
        </div>
        <CommentsBeside comments={comments} article={article} />
      </article>
      <Suspense>
        <WorkbenchDialogs
          workspaceId={workspace.id}
          session={session}
          view={view}
          canWrite={canWrite}
          commands={commands}
          leaving={leaving}
          standing={review}
          userId={userId}
        />
      </Suspense>
    </>
  );
}
