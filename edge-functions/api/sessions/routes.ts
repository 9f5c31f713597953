import { profileEndpoints } from "#contract/profile.ts";
import type { Binder } from "../../_shared/handle.ts";
import { endOtherSessions, endSession, listSessions } from "./queries.ts";

export function bindSessions({ signedIn }: Binder): void {
  signedIn(profileEndpoints.sessions, async ({ db }) => {
    return { sessions: await listSessions(db) };
  });

  signedIn(profileEndpoints.endSession, async ({ db, params }) => {
    await endSession(db, params.sessionId);
    return { success: true as const };
  });

  signedIn(profileEndpoints.endOtherSessions, async ({ db }) => {
    await endOtherSessions(db);
    return { success: true as const };
  });
}
