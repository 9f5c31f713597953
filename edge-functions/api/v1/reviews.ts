import type { Review } from "#contract/reviews.ts";
import { v1ReviewEndpoints } from "#contract/v1/reviews.ts";
import type { Binder } from "../../_shared/handle.ts";
import { askReview, readStanding } from "../reviews/queries.ts";

export function bindV1Reviews({ withKey }: Binder): void {
  withKey(v1ReviewEndpoints.list, async ({ db, params }) => ({ reviews: (await readStanding(db, params.id)).reviews.map(withoutPeople) }));

  withKey(v1ReviewEndpoints.ask, async ({ db, params, body, idempotencyKey }) => {
    return { review: withoutPeople(await askReview(db, params.id, body, idempotencyKey)) };
  });
}

/** Keys can't see team members. */
function withoutPeople({ id, version, state, publish_at, note, asked_at, decided_at, decision_note }: Review) {
  return { id, version, state, publish_at, note, asked_at, decided_at, decision_note };
}
