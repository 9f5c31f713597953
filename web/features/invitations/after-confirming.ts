import { paths } from "../../app/paths.ts";
import { ApiError } from "../../lib/api-client.ts";
import { keptInvite } from "../../lib/kept-invite.ts";
import { join } from "./api/join.ts";

/**
 * Where a person goes who has just confirmed a new address: to the team that invited them, else to make a workspace of their own.
 * The mail may have been opened in another browser, so the account's own memory of the invitation is asked too.
 */
export async function afterConfirming(): Promise<string> {
  const kept = keptInvite();
  if (kept) return paths.joinComplete(kept.token);
  try {
    return paths.dashboard(await join(null));
  } catch (error) {
    return error instanceof ApiError && error.code === "wrong_invitation_account" ? paths.joinComplete() : paths.onboarding;
  }
}
