import { useCallback } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import type { StoredInvite } from "../../lib/stored-invite.ts";

/** Router state of the sign-out page. */
export interface SignOutState {
  /** A public path. */
  to: string;
  /** Invitation for the next account. */
  invite?: StoredInvite;
  /** Assistant request for the next account. */
  request?: string;
}

/** Navigates to the sign-out page, after the unsaved changes question. */
export function useSignOut(): (wish?: SignOutState) => void {
  const navigate = useNavigate();
  return useCallback((wish = { to: paths.auth() }) => void navigate(paths.signOut, { state: wish }), [navigate]);
}
