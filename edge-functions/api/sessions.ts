import { type AccountAccess, profileEndpoints } from "#contract/profile.ts";
import type { AnswerOf } from "#contract/database.ts";
import type { Binder } from "../_shared/handle.ts";
import type { Database } from "../_shared/clients.ts";
import { AppError } from "../_shared/errors.ts";
import { rows } from "./result.ts";

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

  signedIn(profileEndpoints.access, async ({ db, query }) => {
    return { access: (await rows(db.rpc("list_account_access", query))) as AccountAccess[] };
  });

  signedIn(profileEndpoints.endAccess, async ({ db, query }) => {
    return { success: true as const, ended: await rows(db.rpc("end_account_access", query)) };
  });
}

function listSessions(db: Database): Promise<AnswerOf<"my_sessions">> {
  return rows(db.rpc("my_sessions"));
}

async function endSession(db: Database, id: string): Promise<void> {
  if (!(await rows(db.rpc("end_session", { session_id: id })))) throw new AppError("not_found");
}

async function endOtherSessions(db: Database): Promise<void> {
  await rows(db.rpc("end_other_sessions"));
}
