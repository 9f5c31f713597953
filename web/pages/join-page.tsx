import { useState } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { type InviteInfo, inviteEndpoints } from "#contract/invites.ts";
import type { Profile } from "#contract/profile.ts";
import { paths } from "../lib/paths.ts";
import { Button } from "../ui/button.tsx";
import { NarrowPage } from "../ui/page.tsx";
import { join } from "../features/invitations/join.ts";
import { Invitation, InvitedVisitor, InvitedPerson, NoInvitation } from "../features/invitations/invitation.tsx";
import { JoinRefused } from "../features/invitations/join-refused.tsx";
import { Working } from "../features/invitations/working.tsx";
import { useOtherAccount } from "../features/invitations/use-other-account.ts";
import { useVisitor } from "../features/account/profile.ts";
import { useDropWorkspaces } from "../features/workspaces/use-workspaces.ts";
import { useCall } from "../lib/use-call.ts";

/** Target of invitation links, signed in or not. Source: specification, section 2. */
export function Component() {
  const token = useSearchParams()[0].get("token") || null;
  const email = new URLSearchParams(useLocation().hash.slice(1)).get("for") ?? undefined;
  const { data: invite, error, mutate } = useInvite(token);
  const { data: profile, error: profileError } = useVisitor();
  if (token === null || error?.code === "invalid_invitation") return <NoInvitation />;
  if (error) {
    return (
      <NarrowPage title="Couldn't load the invitation" text={error.message}>
        <Button variant="primary" wide onClick={() => void mutate()}>
          Try again
        </Button>
      </NarrowPage>
    );
  }
  if (!invite || (profile === undefined && !profileError)) return <Working title="Validating invitation" />;
  if (profile) return <SignedInVisitor token={token} invite={invite} profile={profile} />;
  return (
    <Invitation invite={invite}>
      <InvitedVisitor invite={{ token, workspaceId: invite.workspace_id }} email={email} />
    </Invitation>
  );
}

function SignedInVisitor({ token, invite, profile }: { token: string; invite: InviteInfo; profile: Profile }) {
  const navigate = useNavigate();
  const dropWorkspaces = useDropWorkspaces();
  const signInAsOther = useOtherAccount({ token, workspaceId: invite.workspace_id });
  const [busy, setBusy] = useState(false);
  const [joinError, setRefused] = useState<unknown>();

  async function accept() {
    setBusy(true);
    try {
      const workspaceId = await join(token);
      await dropWorkspaces();
      await navigate(paths.dashboard(workspaceId));
    } catch (error) {
      setRefused(error);
    }
  }
  if (joinError !== undefined) return <JoinRefused error={joinError} email={profile.email} onOtherAccount={signInAsOther} />;
  return (
    <Invitation invite={invite}>
      <InvitedPerson profile={profile} busy={busy} onAccept={() => void accept()} />
    </Invitation>
  );
}

/** Fetched once, then only on retry. Null: no token. */
function useInvite(token: string | null) {
  return useCall(inviteEndpoints.read, token === null ? null : { params: { token } }, {
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    shouldRetryOnError: false,
  });
}
