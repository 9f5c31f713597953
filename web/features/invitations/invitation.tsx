import type { ReactNode } from "react";
import type { InviteInfo } from "#contract/invites.ts";
import type { Role } from "#contract/kinds.ts";
import type { Profile } from "#contract/profile.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { NarrowPage } from "../../ui/page.tsx";
import { paths } from "../../lib/paths.ts";
import { ButtonLink, Button } from "../../ui/button.tsx";
import { storeInvite, type StoredInvite } from "../../lib/stored-invite.ts";
import { Note, Stack } from "../../ui/layout.tsx";

export function Invitation({ invite, children }: { invite: InviteInfo; children: ReactNode }) {
  const role = invitedRoleName(invite.invited_role);
  return (
    <NarrowPage
      title="You're invited!"
      text={
        <>
          Join <strong>{invite.workspace_name}</strong> as a{/^[AEIOU]/.test(role) && "n"} <strong>{role}</strong>
        </>
      }
    >
      {invite.invited_by && <Note>{invite.invited_by} invited you.</Note>}
      {children}
    </NarrowPage>
  );
}

const names: Partial<Record<Role, string>> = { admin: "Administrator", editor: "Editor", viewer: "Viewer" };

/** Source: specification, section 3 ("Invite info"). */
const invitedRoleName = (role: Role): string => names[role] ?? "Team Member";

/** Stores the invitation during sign-up or sign-in. `email`: the invited address. */
export function InvitedVisitor({ invite, email }: { invite: StoredInvite; email?: string }) {
  const to = (type: "signup" | "signin") => paths.auth({ type, returnUrl: paths.joinComplete(invite.token), token: invite.token });
  return (
    <Stack gap={3}>
      <ButtonLink to={to("signup")} state={{ email }} variant="primary" wide onClick={() => storeInvite(invite)}>
        Create a new account
      </ButtonLink>
      <ButtonLink to={to("signin")} state={{ email }} wide onClick={() => storeInvite(invite)}>
        Sign in with existing account
      </ButtonLink>
    </Stack>
  );
}

interface InvitedPersonProps {
  profile: Profile;
  busy: boolean;
  onAccept: () => void;
}

export function InvitedPerson({ profile, busy, onAccept }: InvitedPersonProps) {
  return (
    <Stack gap={3}>
      <Button variant="primary" wide busy={busy} onClick={onAccept}>
        {busy ? "Joining…" : "Accept Invitation & Join Team"}
      </Button>
      <ButtonLink to={paths.workspaces} variant="quiet" wide>
        Cancel
      </ButtonLink>
      <Note center>You're signed in as {profile.email}.</Note>
    </Stack>
  );
}

/** Same page for wrong, used, revoked and expired links. */
export function NoInvitation() {
  return (
    <NarrowPage title="Invalid invitation" text={errorCatalogue.invalid_invitation.sentence}>
      <ButtonLink to={paths.auth({ type: "signin" })} variant="primary" wide>
        Go to Sign In
      </ButtonLink>
    </NarrowPage>
  );
}
