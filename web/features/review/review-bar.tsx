import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { type Review, reviewEndpoints } from "#contract/reviews.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../ui/button.tsx";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { NoticeBar } from "../session/notice-bar.tsx";
import { DecisionDialog } from "./decision-dialog.tsx";
import { NotesContext, noteOwner } from "./unsaved-notes.ts";
import { ProposalDialog } from "./proposal-dialog.tsx";
import { emitReviews } from "./review-events.ts";
import type { ReviewBarProps } from "./review-bar-props.ts";
import { Row, Text } from "../../ui/layout.tsx";

export function ReviewBar(props: ReviewBarProps) {
  const { standing, status, post, now, userId } = props;
  const [params, setParams] = useSearchParams();
  const [opened, setOpened] = useState<string | null>(null);
  const proposalId = opened ?? params.get("proposal");
  const close = () => {
    setOpened(null);
    if (params.has("proposal")) setParams((before) => (before.delete("proposal"), before), { replace: true });
  };
  const waiting = standing.proposals.filter(({ state }) => state === "waiting");
  const decided = standing.proposals.find(({ state, proposed_by: by, by_key: byKey }) => by === userId && !byKey && state === "refused");
  if (status === "archived") return null;
  return (
    <>
      {waiting.map(({ id, proposed_by: by, proposed_by_name: name, by_key: byKey, proposed_at: at, note }) => (
        <NoticeBar
          key={id}
          icon="pencil"
          actions={
            <Button size="small" onClick={() => setOpened(id)}>
              View changes
            </Button>
          }
        >
          <strong>{by === userId && !byKey ? "You proposed" : `${name ?? "Someone"} proposed`} changes to this post</strong>, {ago(at, now)}
          . <Note text={note} />
        </NoticeBar>
      ))}
      {decided && waiting.length === 0 && (
        <NoticeBar icon="times-circle">
          {decided.decided_by_name ?? "Someone"} rejected your proposal. <Note text={decided.decision_note} />
        </NoticeBar>
      )}
      {status === "published" ? <LiveBar {...props} /> : <DraftBar {...props} />}
      {proposalId !== null && standing.proposals.some(({ id }) => id === proposalId) && (
        <NotesContext value={noteOwner(userId, proposalId)}>
          <ProposalDialog {...props} key={proposalId} post={post} proposalId={proposalId} onClose={close} />
        </NotesContext>
      )}
    </>
  );
}

const LiveBar = ({ standing, userId }: ReviewBarProps) =>
  standing.needsApproval &&
  !standing.proposals.some(({ state, proposed_by: by, by_key: byKey }) => state === "waiting" && by === userId && !byKey) && (
    <NoticeBar icon="shield">Your edits are proposals until someone else accepts them.</NoticeBar>
  );

function DraftBar(props: ReviewBarProps) {
  const { standing, status, now, userId } = props;
  const [latest] = standing.reviews;
  if (latest?.state === "waiting") {
    return (
      <NotesContext value={noteOwner(userId, latest.id)}>
        <Waiting {...props} review={latest} />
      </NotesContext>
    );
  }
  if (latest?.state === "approved" && status === "scheduled") {
    return (
      <NoticeBar icon="check-circle">
        {latest.decided_by_name ?? "Someone"} approved this version, {ago(latest.decided_at ?? latest.asked_at, now)}.{" "}
        <Note text={latest.decision_note} />
        {standing.needsApproval && " If you edit it, it goes back to draft and needs approval again."}
      </NoticeBar>
    );
  }
  if (latest?.state === "refused") {
    return (
      <NoticeBar icon="times-circle">
        <strong>{latest.decided_by_name ?? "Someone"} requested changes</strong>, {ago(latest.decided_at ?? latest.asked_at, now)}.{" "}
        <Note text={latest.decision_note} />
      </NoticeBar>
    );
  }
  if (latest?.state === "void" && status === "draft") {
    return (
      <NoticeBar icon="exclamation-triangle">
        <strong>{latest.decided_at ? "Changed after approval" : "Changed after approval was requested"}.</strong>{" "}
        {latest.decided_at ? "It's back to draft and won't be published." : "The earlier request no longer applies."}{" "}
        {standing.needsApproval && "Request approval again when you're done."}
      </NoticeBar>
    );
  }
  if (!standing.needsApproval) return null;
  // Scheduled or changed by someone who needs no approval.
  if (status === "scheduled") {
    return <NoticeBar icon="shield">It will be published as it is. If you edit it, it goes back to draft and needs approval.</NoticeBar>;
  }
  return <NoticeBar icon="shield">Someone else needs to approve this post before it's published.</NoticeBar>;
}

function Waiting({ post, standing, userId, now, dirty, onDecided, review }: ReviewBarProps & { review: Review }) {
  const [deciding, setDeciding] = useState<"approve" | "refuse" | null>(null);
  const [busy, setBusy] = useState(false);
  const { asked_by: by, asked_by_name: name, asked_at: at, publish_at: when, note } = review;
  const mine = by === userId;

  async function withdraw() {
    setBusy(true);
    try {
      await call(reviewEndpoints.withdraw, { params: { id: post.id, reviewId: review.id } });
    } catch (error) {
      toasts.failure("Couldn't withdraw the request", error);
    } finally {
      setBusy(false);
      emitReviews(post.id);
    }
  }

  const publishTime = when ? `to publish on ${moment(when)}` : "to publish right away";
  return (
    <>
      <NoticeBar
        icon={mine ? "clock" : "shield"}
        actions={
          mine ? (
            <Button size="small" busy={busy} onClick={() => void withdraw()}>
              Withdraw request
            </Button>
          ) : (
            standing.canDecide && (
              <Row as="span">
                <Button size="small" onClick={() => setDeciding("refuse")}>
                  Request changes
                </Button>
                <Button size="small" variant="primary" icon="check" disabled={dirty} onClick={() => setDeciding("approve")}>
                  Approve
                </Button>
              </Row>
            )
          )
        }
      >
        {mine ? (
          <>
            <strong>Waiting for approval</strong>, {publishTime}. Requested {ago(at, now)}. <Note text={note} />
          </>
        ) : (
          <>
            <strong>{name ?? "Someone"} requested approval</strong> of this version, {publishTime}. Requested {ago(at, now)}.{" "}
            <Note text={note} />
            {standing.canDecide && dirty && " You edited this version, so someone else needs to approve it."}
          </>
        )}
      </NoticeBar>
      {deciding && (
        <DecisionDialog
          decision={deciding}
          title={deciding === "approve" ? "Approve this post?" : "Request changes to this post?"}
          confirm={deciding === "refuse" ? "Request changes" : when ? "Approve and schedule" : "Approve and publish"}
          decide={async (words) => {
            const body = { version: review.version, decision: deciding, note: words };
            await call(reviewEndpoints.decide, { params: { id: post.id, reviewId: review.id }, body });
          }}
          onDecided={() => {
            emitReviews(post.id);
            if (deciding === "approve") {
              toasts.success(when ? "Approved and scheduled" : "Approved and published");
              onDecided();
            }
          }}
          onClose={() => setDeciding(null)}
        >
          {deciding === "approve"
            ? when
              ? `Version ${review.version} will be published on ${moment(when)}.`
              : "It goes live right away."
            : `It stays a draft. We'll send ${name ?? "the author"} your note.`}
        </DecisionDialog>
      )}
    </>
  );
}

const ago = (time: string, now: Date): string => relativeTime(time, now).replace(/^Just/, "just");

const shownLength = 220;

function Note({ text }: { text: string | null }) {
  const [isExpanded, setIsExpanded] = useState(false);
  if (!text) return null;
  const cut = !isExpanded && text.length > shownLength * 1.25;
  return (
    <>
      <Text as="q" style={{ fontStyle: "italic" }}>
        {cut ? `${text.slice(0, shownLength).trimEnd()}…` : text}
      </Text>
      {cut && (
        <Button variant="quiet" size="small" onClick={() => setIsExpanded(true)}>
          Show more
        </Button>
      )}
    </>
  );
}
