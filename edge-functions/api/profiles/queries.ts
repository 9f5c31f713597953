import type { RowOf } from "#contract/database.ts";
import type { OptionalEmail } from "#contract/profile.ts";
import type { Database } from "../../_shared/clients.ts";
import { rows } from "../result.ts";

export type ProfileRow = RowOf<"profiles">;

const columns = "user_id, full_name, job_title, company_name, avatar_url, created_at";

export function findProfile(db: Database, userId: string): Promise<ProfileRow> {
  return rows(db.from("profiles").select(columns).eq("user_id", userId).single());
}

export const isOperator = (db: Database): Promise<boolean> => rows(db.rpc("is_operator"));

export async function mutedEmails(db: Database): Promise<OptionalEmail[]> {
  return (await rows(db.rpc("my_muted_emails"))) as OptionalEmail[];
}

export const setMutedEmails = (db: Database, kinds: OptionalEmail[]): Promise<null> => rows(db.rpc("set_muted_emails", { kinds }));

export function updateProfile(
  db: Database,
  userId: string,
  changes: { full_name?: string; job_title?: string | null },
): Promise<ProfileRow> {
  return rows(db.from("profiles").update(changes).eq("user_id", userId).select(columns).single());
}

export function setAvatar(db: Database, userId: string, url: string | null): Promise<ProfileRow> {
  return rows(db.from("profiles").update({ avatar_url: url }).eq("user_id", userId).select(columns).single());
}
