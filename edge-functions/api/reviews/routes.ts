import { reviewEndpoints } from "#contract/reviews.ts";
import type { Binder } from "../../_shared/handle.ts";
import { requireContentText } from "../posts/content.ts";
import { presentPost, presentText } from "../posts/presenter.ts";
import {
  askReview,
  changeProposal,
  decideProposal,
  decideReview,
  proposeChange,
  readProposal,
  readRule,
  readStanding,
  setRule,
  waitingForMe,
  withdrawProposal,
  withdrawReview,
} from "./queries.ts";

export function bindReviews({ signedIn }: Binder): void {
  signedIn(reviewEndpoints.rule, async ({ db, params }) => ({ rule: await readRule(db, params.workspaceId) }));
  signedIn(reviewEndpoints.setRule, async ({ db, params, body }) => ({ rule: await setRule(db, params.workspaceId, body.rule) }));
  signedIn(reviewEndpoints.waiting, ({ db, params }) => waitingForMe(db, params.workspaceId));
  signedIn(reviewEndpoints.standing, ({ db, params }) => readStanding(db, params.id));

  signedIn(reviewEndpoints.ask, async ({ db, params, body, idempotencyKey }) => {
    return { review: await askReview(db, params.id, body, idempotencyKey) };
  });
  signedIn(reviewEndpoints.decide, async ({ db, params, body }) => {
    const { review, post } = await decideReview(db, params.id, params.reviewId, body);
    return { review, post: await presentPost(post) };
  });
  signedIn(reviewEndpoints.withdraw, async ({ db, params }) => {
    await withdrawReview(db, params.id, params.reviewId);
    return { success: true as const };
  });

  signedIn(reviewEndpoints.propose, async ({ db, params, body, idempotencyKey }) => {
    return { proposal: await presentText(await proposeChange(db, params.id, await written(body), idempotencyKey)) };
  });
  signedIn(reviewEndpoints.proposal, async ({ db, params }) => {
    return { proposal: await presentText(await readProposal(db, params.id, params.proposalId)) };
  });
  signedIn(reviewEndpoints.changeProposal, async ({ db, params, body }) => {
    return { proposal: await presentText(await changeProposal(db, params.id, params.proposalId, await written(body))) };
  });
  signedIn(reviewEndpoints.decideProposal, async ({ db, params, body }) => {
    const { proposal, post } = await decideProposal(db, params.id, params.proposalId, body);
    return { proposal: await presentText(proposal), post: await presentPost(post) };
  });
  signedIn(reviewEndpoints.withdrawProposal, async ({ db, params }) => {
    await withdrawProposal(db, params.id, params.proposalId);
    return { success: true as const };
  });
}

type Sent = NonNullable<(typeof reviewEndpoints.propose)["body"]>["_output"];

async function written({ version, note, content_raw, summary, ...fields }: Sent) {
  return { version, note, content: { ...fields, summary: summary ?? null, content_raw: await requireContentText(content_raw) } };
}
