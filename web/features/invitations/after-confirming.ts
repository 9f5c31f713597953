import { paths } from "../../lib/paths.ts";
import { ApiError } from "../../lib/api-client.ts";
import { latestRequest } from "../../lib/stored-request.ts";
import { storedInvite } from "../../lib/stored-invite.ts";
import { join } from "./join.ts";

/** Path after confirming an email: the team of the account's invitation, a pending assistant request, an invitation stored in this browser (which asks first), or onboarding. */
export async function afterConfirming(): Promise<string> {
  const invite = storedInvite();
  try {
    const dashboard = paths.dashboard(await join(null));
    return latestRequest() ?? dashboard;
  } catch (error) {
    if (error instanceof ApiError && error.code === "wrong_invitation_account") return paths.joinComplete();
    return invite ? paths.join(invite.token) : paths.onboarding;
  }
}
