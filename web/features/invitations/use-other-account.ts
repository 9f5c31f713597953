import { paths } from "../../lib/paths.ts";
import type { StoredInvite } from "../../lib/stored-invite.ts";
import { useSignOut } from "../account/use-sign-out.ts";

/** Signs out and returns to the invitation after sign-in. */
export function useOtherAccount(invite: StoredInvite): () => void {
  const signOut = useSignOut();
  const { token } = invite;
  return () => signOut({ to: paths.auth({ type: "signin", returnUrl: paths.joinComplete(token), token }), invite });
}
