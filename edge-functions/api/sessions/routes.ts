import { profileEndpoints } from "#contract/profile.ts";
import type { Binder } from "../../_shared/handle.ts";
import { iso } from "../time.ts";
import { endOtherSessions, endSession, listSessions } from "./queries.ts";

export function bindSessions({ signedIn }: Binder): void {
  signedIn(profileEndpoints.sessions, async ({ db }) => {
    const sessions = await listSessions(db);
    return {
      sessions: sessions.map((row) => ({ ...row, created_at: iso(row.created_at), last_used_at: iso(row.last_used_at) })),
    };
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
