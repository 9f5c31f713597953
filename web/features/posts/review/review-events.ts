import { createListeners } from "../../../lib/listeners.ts";

const changed = createListeners<[postId: string]>();
/** Reviews or proposals of a post have changed, here or by Realtime. */
export const emitReviews = changed.tell;
export const onReviews = changed.listen;
