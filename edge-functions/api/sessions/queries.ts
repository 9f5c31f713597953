import type { AnswerOf } from "#contract/database.ts";
import type { Database } from "../../_shared/clients.ts";
import { AppError } from "../../_shared/errors.ts";
import { rows } from "../result.ts";

export function listSessions(db: Database): Promise<AnswerOf<"my_sessions">> {
  return rows(db.rpc("my_sessions"));
}

/** Throws not_found for a session that is not the caller's or has ended already. */
export async function endSession(db: Database, id: string): Promise<void> {
  if (!(await rows(db.rpc("end_session", { session_id: id })))) throw new AppError("not_found");
}

export async function endOtherSessions(db: Database): Promise<void> {
  await rows(db.rpc("end_other_sessions"));
}
