import { createListeners } from "../../../lib/listeners.ts";

const changed = createListeners<[postId: string]>();
/** Something was asked, decided or proposed: by this person's own hand, or told by Realtime. */
export const emitReviews = changed.tell;
/** Returns how to stop listening. */
export const onReviews = changed.listen;
