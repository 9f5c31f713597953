import { announceSession } from "./session-channel.ts";

type ClearCache = () => Promise<unknown>;

let clear: ClearCache | null = null;

/** Registers how to clear the cache, so that pages without one (such as sign-in) don't load SWR. */
export const registerCache = (clearCache: ClearCache): void => void (clear = clearCache);

/** Clears cached reads at each sign-in and sign-out and tells other tabs. Without it SWR would deduplicate new reads with the old session's. */
export async function clearCachedReads(): Promise<void> {
  announceSession();
  await clear?.();
}
