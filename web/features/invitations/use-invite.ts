import { inviteEndpoints } from "#contract/invites.ts";
import { useCall } from "../../lib/use-call.ts";

/** What an invitation is for; asked once, and again only by hand. Null: there is no token. */
export function useInvite(token: string | null) {
  return useCall(inviteEndpoints.read, token === null ? null : { params: { token } }, {
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    shouldRetryOnError: false,
  });
}
