import { useCallback } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import type { KeptInvite } from "../../lib/kept-invite.ts";

/** What the page that signs out is asked for. */
export interface SignOutState {
  /** An address open to everybody. */
  to: string;
  /** An invitation that the next account is meant to take. */
  invite?: KeptInvite;
  /** What an assistant asks for, which the next account is meant to answer. */
  request?: string;
}

/** Leaves the page, which may ask about unsaved changes first; then the session ends, then comes /auth or another address open to everybody. */
export function useSignOut(): (wish?: SignOutState) => void {
  const navigate = useNavigate();
  return useCallback((wish = { to: paths.auth() }) => void navigate(paths.signOut, { state: wish }), [navigate]);
}
