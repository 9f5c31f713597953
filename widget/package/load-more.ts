import * as more from "../more/main.ts";

/** In place of ../load-more.ts, because a server may be another version than the package. */
export const loadMore = (): Promise<typeof more> => Promise.resolve(more);
