import { announceSession } from "./session-news.ts";

type Forget = () => Promise<unknown>;

/** Of what keeps what was read. A page that reads nothing, such as the one to sign in on, loads none of that. */
let forget: Forget | null = null;

/** Whoever keeps what was read says how to forget it, for as long as the window is open: what was read outlives what showed it. */
export const keepsReads = (how: Forget): void => void (forget = how);

/**
 * Forgets everything that was read, because it belongs to the session before: at every sign-in and sign-out. Whatever is on the screen
 * would ask again; without that an answer of the last two seconds would still be shared with those who ask next. Other tabs hear of it.
 */
export async function forgetReads(): Promise<void> {
  announceSession();
  await forget?.();
}
