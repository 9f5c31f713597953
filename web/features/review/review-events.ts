import { createListeners } from "../../lib/listeners.ts";

const changed = createListeners<[postId: string]>();
export const emitReviews = changed.notify;
export const onReviews = changed.listen;
