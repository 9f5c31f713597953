import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { fromDatabase } from "./backend-errors.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";

/*
 * Accounts that wait for their confirmation. The third place that speaks with the service role: nobody has a session of such an account,
 * and what is said about one must have come through /api.
 */
const service = ({ supabaseUrl, secretKey }: Env): SupabaseClient => createClient(supabaseUrl, secretKey, withoutSession);

/**
 * Before the link of a mail is spent: makes sure that the password of the account it confirms is that of the browser it is opened in, whose
 * mark's hash is `browser`. "known": it is; "unknown": nobody knows the password any more; null: no waiting account has this link.
 */
export async function openWaitingAccount(env: Env, link: string, browser: string | null): Promise<"known" | "unknown" | null> {
  const { data, error, status } = await service(env).rpc("open_waiting_account", { link, browser });
  if (error) throw fromDatabase(error, status);
  if (data === null) return null;
  return data === true ? "known" : "unknown";
}

/** Remembers with the waiting account of an address which invitation it was signed up with; null: with none. */
export async function rememberInvite(env: Env, email: string, token: string | null): Promise<void> {
  const { error, status } = await service(env).rpc("remember_invite", { email, token });
  if (error) throw fromDatabase(error, status);
}
