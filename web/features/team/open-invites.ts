import type { Invite } from "#contract/invites.ts";

/** The invitations that somebody can still use. */
export function openInvites(invites: readonly Invite[], now: Date): Invite[] {
  return invites.filter(
    ({ accepted_at, revoked_at, expires_at }) => accepted_at === null && revoked_at === null && Date.parse(expires_at) > now.getTime(),
  );
}
