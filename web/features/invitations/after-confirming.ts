import { paths } from "../../lib/paths.ts";
import { ApiError } from "../../lib/api-client.ts";
import { latestRequest } from "../../lib/kept-request.ts";
import { keptInvite } from "../../lib/kept-invite.ts";
import { join } from "./join.ts";

/**
 * Where a person goes who has just confirmed a new address: to the team whose invitation the account was signed up with, in whichever
 * browser the mail was opened, or to what an assistant has asked for in this one; else to the invitation that was begun in this browser, which
 * asks, because another person may have begun it; else to make a workspace of their own.
 */
export async function afterConfirming(): Promise<string> {
  const kept = keptInvite();
  try {
    const dashboard = paths.dashboard(await join(null));
    return latestRequest() ?? dashboard;
  } catch (error) {
    if (error instanceof ApiError && error.code === "wrong_invitation_account") return paths.joinComplete();
    return kept ? paths.join(kept.token) : paths.onboarding;
  }
}
