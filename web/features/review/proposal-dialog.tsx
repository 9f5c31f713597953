import { useCallback, useEffect, useState } from "react";
import { fieldsBody, fieldsOf } from "#contract/rules/post-content.ts";
import { allChosen, mergeVersions, settle } from "#contract/merge/merge-versions.ts";
import type { Post } from "#contract/posts.ts";
import { type Proposal, reviewEndpoints } from "#contract/reviews.ts";
import type { Revision } from "#contract/revisions.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { ApiError, call, sentenceOf } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { readRevision } from "../history/revision-calls.ts";
import { type ComparedVersion, VersionComparison } from "../history/version-comparison.tsx";
import { readPost } from "../posts/post-calls.ts";
import { DecisionDialog } from "./decision-dialog.tsx";
import { emitReviews } from "./review-events.ts";
import type { ReviewBarProps } from "./review-bar-props.ts";
import type { LocalDraft } from "../session/draft-store.ts";
import { contentOf, identifiedOf } from "../session/versions.ts";
import { readProposal } from "./use-review.ts";
import { Stack, Text } from "../../ui/layout.tsx";

interface ProposalDialogProps extends Omit<ReviewBarProps, "now"> {
  proposalId: string;
  onClose(): void;
}

export function ProposalDialog({ post, status, proposalId, standing, userId, dirty, onDecided, onTake, onClose }: ProposalDialogProps) {
  const summary = standing.proposals.find(({ id }) => id === proposalId);
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const [deciding, setDeciding] = useState<"approve" | "refuse" | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const changed = summary?.proposed_at;
  useEffect(() => {
    let isMounted = true;
    readProposal(post.id, proposalId).then(
      (loaded) => isMounted && setProposal(loaded),
      (error: unknown) => isMounted && setProblem(sentenceOf(error, "Please try again")),
    );
    return () => {
      isMounted = false;
    };
  }, [post.id, proposalId, changed]);

  const behind = proposal !== null && proposal.base_version !== post.version;
  // Compared with the version it is based on: later changes by others are merged, not undone.
  const load = useCallback(async () => {
    const before = (behind && (await readRevisionIfExists(post.id, proposal!.base_version))) || (await readPost(post.id));
    return { mine: comparable(proposal!), theirs: comparable(before) };
  }, [post.id, proposal, behind]);

  const isLive = status === "published";
  const isWaiting = summary?.state === "waiting";
  const mine = summary?.proposed_by === userId;

  async function run(work: () => Promise<void>) {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(sentenceOf(error, "Please try again"));
    } finally {
      setBusy(false);
      emitReviews(post.id);
    }
  }
  const withdraw = () =>
    run(async () => {
      await call(reviewEndpoints.withdrawProposal, { params: { id: post.id, proposalId } });
      onClose();
    });
  // A proposal by the user's own assistant needs no approval by others: saving it makes it the user's change.
  const openInEditor = () =>
    run(async () => {
      if (!(await onTake(draftOf(proposal!, post.workspace_id)))) return setProblem("The editor is still loading. Try again in a moment.");
      await call(reviewEndpoints.withdrawProposal, { params: { id: post.id, proposalId } });
      toasts.success("Opened in the editor", "Save to apply the changes.");
      onClose();
    });
  const update = () =>
    run(async () => {
      const conflicts = await rebaseProposal(post.id, proposal!);
      toasts.success("Proposal updated", conflicts === 0 ? undefined : conflictWords(conflicts));
    });

  // Only one dialog at a time: a closing dialog restores the focus even if another one is open.
  if (deciding && proposal) {
    return (
      <DecisionDialog
        decision={deciding}
        title={deciding === "approve" ? "Accept these changes?" : "Reject these changes?"}
        confirm={deciding === "approve" ? "Accept" : "Reject"}
        decide={async (words) => {
          const body = { decision: deciding, note: words, proposed_at: proposal.proposed_at };
          await call(reviewEndpoints.decideProposal, { params: { id: post.id, proposalId }, body });
        }}
        onDecided={() => {
          emitReviews(post.id);
          if (deciding === "approve") {
            toasts.success("Changes accepted", isLive ? "They're live now." : undefined);
            onDecided();
          }
          onClose();
        }}
        onClose={() => setDeciding(null)}
      >
        {deciding === "approve"
          ? isLive
            ? "They go live right away."
            : "They'll go live when the post is published."
          : `The post won't change. We'll send ${summary?.proposed_by_name ?? "the author"} your note.`}
      </DecisionDialog>
    );
  }
  return (
    <Dialog
      open
      title={mine && !summary.by_key ? "Your proposal" : `Proposal by ${summary?.proposed_by_name ?? "someone"}`}
      width="48rem"
      onClose={onClose}
      footer={
        <>
          {mine && isWaiting && (
            <Button busy={busy} onClick={() => void withdraw()}>
              Withdraw proposal
            </Button>
          )}
          {mine && isWaiting && behind && !summary.by_key && (
            <Button variant="primary" busy={busy} onClick={() => void update()}>
              Update to latest version
            </Button>
          )}
          {mine && isWaiting && summary.by_key && (
            <Button variant="primary" busy={busy} disabled={dirty || proposal === null} onClick={() => void openInEditor()}>
              Open in editor
            </Button>
          )}
          {!mine && isWaiting && standing.canApprove && (
            <>
              <Button disabled={proposal === null} onClick={() => setDeciding("refuse")}>
                Reject
              </Button>
              <Button variant="primary" icon="check" disabled={behind || proposal === null} onClick={() => setDeciding("approve")}>
                Accept
              </Button>
            </>
          )}
          {!(isWaiting && (mine || standing.canApprove)) && <Button onClick={onClose}>Close</Button>}
        </>
      }
    >
      <Stack>
        {summary?.note && (
          <Text as="blockquote" style={{ whiteSpace: "pre-line" }}>
            {summary.note}
          </Text>
        )}
        {isWaiting && behind && (
          <Text tone="muted">
            The post has changed since version {proposal.base_version}.{" "}
            {mine && summary.by_key
              ? "Open it in the editor and save to merge both sets of changes."
              : mine
                ? "Update your proposal to include the latest changes."
                : `${summary?.proposed_by_name ?? "The author"} needs to update it before it can be accepted.`}
          </Text>
        )}
        {mine && isWaiting && summary.by_key && (
          <Text tone="muted">
            Your own API key or assistant proposed this. Ask a teammate to accept it, or open it in the editor and save it.
            {dirty && " Save your changes in the editor first."}
          </Text>
        )}
        {problem && <FormError title="Something went wrong" message={problem} />}
        {proposal && (
          <VersionComparison load={load} labels={{ mine: "Proposed", theirs: behind ? `Version ${proposal.base_version}` : "Now" }} />
        )}
      </Stack>
    </Dialog>
  );
}

async function readRevisionIfExists(postId: string, version: number): Promise<Revision | null> {
  try {
    return await readRevision(postId, version);
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}

const comparable = (one: Proposal | Post | Revision): ComparedVersion => ({ ...fieldsOf(one), content: contentOf(one) });

const draftOf = (proposal: Proposal, workspaceId: string): LocalDraft => ({
  ...{ sessionId: proposal.id, key: "", workspaceId, savedAt: 0, baseVersion: proposal.base_version },
  ...comparable(proposal),
});

const conflictWords = (places: number): string =>
  `Both versions changed ${places === 1 ? "1 place" : `${places} places`}. We used yours. Review the changes.`;

/** Rebases the user's proposal on the current post; in conflicts the proposal wins. Returns the number of conflicts. Throws an ApiError. */
async function rebaseProposal(postId: string, proposal: Proposal): Promise<number> {
  const [base, current] = await Promise.all([readRevision(postId, proposal.base_version), readPost(postId)]);
  const merge = mergeVersions(identifiedOf(base), identifiedOf(proposal), identifiedOf(current));
  const settled = settle(merge, allChosen(merge, "mine"));
  if (!settled) throw new Error("unresolved conflict");
  const content = { ...contentOf(proposal), blocks: settled.blocks };
  await call(reviewEndpoints.changeProposal, {
    params: { id: postId, proposalId: proposal.id },
    body: {
      ...fieldsBody(settled),
      ...{ version: current.version, content_raw: JSON.stringify(content), note: proposal.note },
    },
  });
  return merge.counts.collisions;
}
