import { paths } from "../../lib/paths.ts";
import type { KeptInvite } from "../../lib/kept-invite.ts";
import { useSignOut } from "../session/use-sign-out.ts";

/** Signs out, and comes back to the invitation with whichever account signs in next. */
export function useOtherAccount(invite: KeptInvite): () => void {
  const signOut = useSignOut();
  const { token } = invite;
  return () => signOut({ to: paths.auth({ type: "signin", returnUrl: paths.joinComplete(token), token }), invite });
}
