import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { type Review, reviewEndpoints } from "#contract/reviews.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../components/button.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { moment } from "../../../lib/moment.ts";
import { toasts } from "../../../lib/toasts.ts";
import { NoticeBar } from "../session/notice-bar.tsx";
import { DecisionDialog } from "./decision-dialog.tsx";
import { NotesContext, notesOn } from "./kept-notes.ts";
import { ProposalDialog } from "./proposal-dialog.tsx";
import { emitReviews } from "./review-events.ts";
import type { ReviewBarProps } from "./review-bar-props.ts";
import css from "./review.module.css";

/** How the post stands with those who approve, and what this person can do about it. */
export function ReviewBar(props: ReviewBarProps) {
  const { standing, status, post, now, userId } = props;
  const [params, setParams] = useSearchParams();
  const [opened, setOpened] = useState<string | null>(null);
  const shown = opened ?? params.get("proposal");
  const close = () => {
    setOpened(null);
    if (params.has("proposal")) setParams((before) => (before.delete("proposal"), before), { replace: true });
  };
  const waiting = standing.proposals.filter(({ state }) => state === "waiting");
  const decided = standing.proposals.find(({ state, proposed_by: by, by_key: byKey }) => by === userId && !byKey && state === "refused");
  if (status === "archived") return null;
  return (
    <>
      {status === "published" ? <LiveBar {...props} /> : <DraftBar {...props} />}
      {waiting.map(({ id, proposed_by: by, proposed_by_name: name, by_key: byKey, proposed_at: at, note }) => (
        <NoticeBar
          key={id}
          icon="pencil"
          actions={
            <Button size="small" onClick={() => setOpened(id)}>
              Look at the changes
            </Button>
          }
        >
          <strong>{by === userId && !byKey ? "You propose" : `${name ?? "Someone"} proposes`} changes to this post</strong>, {ago(at, now)}.{" "}
          <SaidWords text={note} />
        </NoticeBar>
      ))}
      {decided && waiting.length === 0 && (
        <NoticeBar icon="times-circle">
          {decided.decided_by_name ?? "Someone"} did not accept what you proposed. <SaidWords text={decided.decision_note} />
        </NoticeBar>
      )}
      {shown !== null && standing.proposals.some(({ id }) => id === shown) && (
        <NotesContext value={notesOn(userId, shown)}>
          <ProposalDialog {...props} key={shown} post={post} proposalId={shown} onClose={close} />
        </NotesContext>
      )}
    </>
  );
}

const LiveBar = ({ standing, userId }: ReviewBarProps) =>
  standing.needsApproval &&
  !standing.proposals.some(({ state, proposed_by: by, by_key: byKey }) => state === "waiting" && by === userId && !byKey) && (
    <NoticeBar icon="shield">What you change here is proposed: a second person accepts it first.</NoticeBar>
  );

/** Before readers see the post: what was asked last, and what became of it. */
function DraftBar(props: ReviewBarProps) {
  const { standing, status, now, userId } = props;
  const [latest] = standing.reviews;
  if (latest?.state === "waiting") {
    return (
      <NotesContext value={notesOn(userId, latest.id)}>
        <Waiting {...props} review={latest} />
      </NotesContext>
    );
  }
  if (latest?.state === "approved" && status === "scheduled") {
    return (
      <NoticeBar icon="check-circle">
        {latest.decided_by_name ?? "Someone"} approved this version, {ago(latest.decided_at ?? latest.asked_at, now)}.{" "}
        <SaidWords text={latest.decision_note} />
        {standing.needsApproval && " If you change it, it is a draft again and needs another approval."}
      </NoticeBar>
    );
  }
  if (latest?.state === "refused") {
    return (
      <NoticeBar icon="times-circle">
        <strong>{latest.decided_by_name ?? "Someone"} did not approve this post</strong>, {ago(latest.decided_at ?? latest.asked_at, now)}.{" "}
        <SaidWords text={latest.decision_note} />
      </NoticeBar>
    );
  }
  if (latest?.state === "void" && status === "draft") {
    return (
      <NoticeBar icon="exclamation-triangle">
        <strong>{latest.decided_at ? "Changed after it was approved" : "Changed after approval was asked for"}.</strong>{" "}
        {latest.decided_at ? "It is a draft again, and nothing of it goes out." : "Nobody approves the version of then any more."}{" "}
        {standing.needsApproval && "Ask again when you are done."}
      </NoticeBar>
    );
  }
  if (!standing.needsApproval) return null;
  // Somebody scheduled or changed it who needs no approval.
  if (status === "scheduled") {
    return <NoticeBar icon="shield">It goes out as it is. If you change it, it is a draft again and needs an approval.</NoticeBar>;
  }
  return <NoticeBar icon="shield">Readers see this post once a second person has approved it.</NoticeBar>;
}

function Waiting({ post, standing, userId, now, dirty, onDecided, review }: ReviewBarProps & { review: Review }) {
  const [deciding, setDeciding] = useState<"approve" | "refuse" | null>(null);
  const [busy, setBusy] = useState(false);
  const { asked_by: by, asked_by_name: name, asked_at: at, publish_at: when, note } = review;
  const mine = by === userId;

  async function takeBack() {
    setBusy(true);
    try {
      await call(reviewEndpoints.withdraw, { params: { id: post.id, reviewId: review.id } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toasts.error("It could not be taken back", error.message);
    } finally {
      setBusy(false);
      emitReviews(post.id);
    }
  }

  const wish = when ? `to be published on ${moment(when)}` : "to be published at once";
  return (
    <>
      <NoticeBar
        icon={mine ? "clock" : "shield"}
        actions={
          mine ? (
            <Button size="small" busy={busy} onClick={() => void takeBack()}>
              Take back
            </Button>
          ) : (
            standing.mayDecide && (
              <span className={css.decision}>
                <Button size="small" onClick={() => setDeciding("refuse")}>
                  Do not approve
                </Button>
                <Button size="small" variant="primary" icon="check" disabled={dirty} onClick={() => setDeciding("approve")}>
                  Approve
                </Button>
              </span>
            )
          )
        }
      >
        {mine ? (
          <>
            <strong>Waiting for approval</strong>, {wish}. Asked {ago(at, now)}. <SaidWords text={note} />
          </>
        ) : (
          <>
            <strong>{name ?? "Someone"} asks for approval</strong> of this version, {wish}. Asked {ago(at, now)}. <SaidWords text={note} />
            {standing.mayDecide && dirty && " You have changed it: what you write yourself, somebody else approves."}
          </>
        )}
      </NoticeBar>
      {deciding && (
        <DecisionDialog
          decision={deciding}
          title={deciding === "approve" ? "Approve this post?" : "Do not approve this post?"}
          confirm={deciding === "refuse" ? "Do not approve" : when ? "Approve and schedule" : "Approve and publish"}
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
              ? `Version ${review.version} is published on ${moment(when)}.`
              : "Readers see it at once."
            : `It stays a draft. ${name ?? "Who asked"} is told, with your note.`}
        </DecisionDialog>
      )}
    </>
  );
}

/** As lists say it, within a sentence. */
const ago = (time: string, now: Date): string => relativeTime(time, now).replace(/^Just/, "just");

/** What is longer waits for whoever wants to read it: the text is what the page is for. */
const shownLength = 220;

/** What somebody said along with it. */
function SaidWords({ text }: { text: string | null }) {
  const [whole, setWhole] = useState(false);
  if (!text) return null;
  const cut = !whole && text.length > shownLength * 1.25;
  return (
    <>
      <q className={css.quote}>{cut ? `${text.slice(0, shownLength).trimEnd()}…` : text}</q>
      {cut && (
        <Button variant="quiet" size="small" onClick={() => setWhole(true)}>
          Read all of it
        </Button>
      )}
    </>
  );
}
