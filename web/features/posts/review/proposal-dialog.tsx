import { useCallback, useEffect, useState } from "react";
import type { Block } from "#contract/blocks/block-types.ts";
import { mergeVersions, settle } from "#contract/merge/merge-versions.ts";
import type { Choice } from "#contract/merge/types.ts";
import { type Proposal, reviewEndpoints } from "#contract/reviews.ts";
import type { Revision } from "#contract/revisions.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { FormError } from "../../../components/form-error.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { readRevision } from "../history/revision-calls.ts";
import { type ComparedVersion, VersionComparison } from "../history/version-comparison.tsx";
import { readPost } from "../post-calls.ts";
import { collisionsIn } from "../session/bring-together.ts";
import { DecisionDialog } from "./decision-dialog.tsx";
import { emitReviews } from "./review-events.ts";
import type { ReviewBarProps } from "./review-bar-props.ts";
import type { LocalDraft } from "../session/draft-store.ts";
import { contentOf, identifiedOf } from "../session/versions.ts";
import { readProposal } from "./use-review.ts";
import css from "./review.module.css";

interface ProposalDialogProps extends Omit<ReviewBarProps, "now"> {
  proposalId: string;
  onClose(): void;
}

/** What somebody proposes beside what readers see, and the decision about it. */
export function ProposalDialog({ post, status, proposalId, standing, userId, dirty, onDecided, onTake, onClose }: ProposalDialogProps) {
  const known = standing.proposals.find(({ id }) => id === proposalId);
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const [deciding, setDeciding] = useState<"approve" | "refuse" | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const changed = known?.proposed_at;
  useEffect(() => {
    let wanted = true;
    readProposal(post.id, proposalId).then(
      (found) => wanted && setProposal(found),
      (error: unknown) => wanted && setProblem(error instanceof ApiError ? error.message : "Please try again"),
    );
    return () => {
      wanted = false;
    };
  }, [post.id, proposalId, changed]);

  const behind = proposal !== null && proposal.base_version !== post.version;
  // Beside what they changed: what others made of the post meanwhile is not undone by it, but brought together with it.
  const load = useCallback(async () => {
    const before = (behind && (await readIfKept(post.id, proposal!.base_version))) || (await readPost(post.id));
    return { mine: comparable(proposal!), theirs: comparable(before) };
  }, [post.id, proposal, behind]);

  const isLive = status === "published";
  const waits = known?.state === "waiting";
  const mine = known?.proposed_by === userId;

  async function run(work: () => Promise<void>) {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : "Please try again");
    } finally {
      setBusy(false);
      emitReviews(post.id);
    }
  }
  const takeBack = () =>
    run(async () => {
      await call(reviewEndpoints.withdrawProposal, { params: { id: post.id, proposalId } });
      onClose();
    });
  // What one's own assistant proposes nobody needs to accept: it becomes what one writes oneself, and is saved as that.
  const take = () =>
    run(async () => {
      if (!(await onTake(draftOf(proposal!, post.workspace_id))))
        return setProblem("The editor is still on its way. Please try again in a moment");
      await call(reviewEndpoints.withdrawProposal, { params: { id: post.id, proposalId } });
      toasts.success("It is in the editor now", "Readers see it once you save.");
      onClose();
    });
  const update = () =>
    run(async () => {
      const kept = await bringUpToDate(post.id, proposal!);
      toasts.success("Brought up to date", kept === 0 ? undefined : keptWords(kept));
    });

  // One after the other: a dialog that hides gives the focus back, also when another one is open by then.
  if (deciding && proposal) {
    return (
      <DecisionDialog
        decision={deciding}
        title={deciding === "approve" ? "Accept these changes?" : "Do not accept these changes?"}
        confirm={deciding === "approve" ? "Accept" : "Do not accept"}
        decide={async (words) => {
          const body = { decision: deciding, note: words, proposed_at: proposal.proposed_at };
          await call(reviewEndpoints.decideProposal, { params: { id: post.id, proposalId }, body });
        }}
        onDecided={() => {
          emitReviews(post.id);
          if (deciding === "approve") {
            toasts.success("Changes accepted", isLive ? "Readers see them now." : undefined);
            onDecided();
          }
          onClose();
        }}
        onClose={() => setDeciding(null)}
      >
        {deciding === "approve"
          ? isLive
            ? "Readers see them at once."
            : "The post comes out with them, as far as you publish without being approved yourself."
          : `The post stays as it is. ${known?.proposed_by_name ?? "Who proposed them"} is told, with your note.`}
      </DecisionDialog>
    );
  }
  return (
    <Dialog
      open
      title={mine && !known.by_key ? "What you propose" : `What ${known?.proposed_by_name ?? "somebody"} proposes`}
      width="48rem"
      onClose={onClose}
      footer={
        <>
          {mine && waits && (
            <Button busy={busy} onClick={() => void takeBack()}>
              Take back
            </Button>
          )}
          {mine && waits && behind && !known.by_key && (
            <Button variant="primary" busy={busy} onClick={() => void update()}>
              Bring up to date
            </Button>
          )}
          {mine && waits && known.by_key && (
            <Button variant="primary" busy={busy} disabled={dirty || proposal === null} onClick={() => void take()}>
              Take into the editor
            </Button>
          )}
          {!mine && waits && standing.mayApprove && (
            <>
              <Button disabled={proposal === null} onClick={() => setDeciding("refuse")}>
                Do not accept
              </Button>
              <Button variant="primary" icon="check" disabled={behind || proposal === null} onClick={() => setDeciding("approve")}>
                Accept
              </Button>
            </>
          )}
          {!(waits && (mine || standing.mayApprove)) && <Button onClick={onClose}>Close</Button>}
        </>
      }
    >
      {known?.note && <blockquote className={css.block}>{known.note}</blockquote>}
      {waits && behind && (
        <p className={css.words}>
          The post has changed since version {proposal.base_version}.{" "}
          {mine && known.by_key
            ? "Take it into the editor: what others changed meanwhile goes together with it when you save."
            : mine
              ? "Bring your proposal up to date: what others changed meanwhile goes into it."
              : `It can be accepted once ${known?.proposed_by_name ?? "who proposed it"} has brought it up to date.`}
        </p>
      )}
      {mine && waits && known.by_key && (
        <p className={css.words}>
          An API key or an assistant of yours proposes this, so somebody else accepts it, or you take it into the editor and save it
          yourself.
          {dirty && " Save what is in the editor first."}
        </p>
      )}
      {problem && <FormError title="That did not work" message={problem} />}
      {proposal && (
        <VersionComparison load={load} labels={{ mine: "Proposed", theirs: behind ? `Version ${proposal.base_version}` : "Now" }} />
      )}
    </Dialog>
  );
}

/** A version of a post; null where its history has it no more. Throws an ApiError. */
async function readIfKept(postId: string, version: number): Promise<Revision | null> {
  try {
    return await readRevision(postId, version);
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}

const comparable = (one: Pick<Proposal, "title" | "tags" | "summary" | "cover_image" | "content_raw">): ComparedVersion => ({
  ...{ title: one.title, tags: one.tags, summary: one.summary, cover: one.cover_image },
  content: contentOf(one),
});

const draftOf = ({ id, base_version, title, tags, summary, cover_image, content_raw }: Proposal, workspaceId: string): LocalDraft => ({
  ...{ sessionId: id, key: "", workspaceId, savedAt: 0, baseVersion: base_version },
  ...{ title, tags, summary: summary ?? "", cover: cover_image, content: contentOf({ content_raw }) },
});

const keptWords = (places: number): string =>
  `In ${places === 1 ? "one place" : `${places} places`} both had changed the same: yours is kept there. Look at the changes.`;

/**
 * Brings what the post has become since into one's own proposal, block by block; where both changed the same, the proposal stays. Answers in how
 * many places that was: who accepts it sees them. Throws an ApiError.
 */
async function bringUpToDate(postId: string, proposal: Proposal): Promise<number> {
  const [base, present] = await Promise.all([readRevision(postId, proposal.base_version), readPost(postId)]);
  const merge = mergeVersions(identifiedOf(base), identifiedOf(proposal), identifiedOf(present));
  const blocks = Object.fromEntries(collisionsIn(merge).map(({ id }): [string, Choice] => [id, "mine"]));
  const settled = settle(merge, { title: "mine", summary: "mine", cover: "mine", blocks });
  if (!settled) throw new Error("something is undecided");
  const { title, summary, cover, tags, blocks: merged } = settled;
  const content = { ...contentOf(proposal), blocks: merged as Block[] };
  await call(reviewEndpoints.changeProposal, {
    params: { id: postId, proposalId: proposal.id },
    body: {
      ...{ version: present.version, title, summary, tags: [...tags], cover_image: cover },
      ...{ content_raw: JSON.stringify(content), note: proposal.note },
    },
  });
  return merge.counts.collisions;
}
