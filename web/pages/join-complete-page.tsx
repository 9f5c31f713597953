import { useEffect, useRef, useState } from "react";
import { Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../components/button.tsx";
import { NarrowPage } from "../components/narrow-page.tsx";
import { join } from "../features/invitations/join.ts";
import { JoinRefused } from "../features/invitations/join-refused.tsx";
import { Working } from "../features/invitations/working.tsx";
import { useOtherAccount } from "../features/invitations/use-other-account.ts";
import { useProfile } from "../features/session/profile.ts";
import { useDropWorkspaces } from "../features/workspaces/use-workspaces.ts";
import { ApiError } from "../lib/api-client.ts";
import { keptInvite } from "../lib/kept-invite.ts";

/**
 * Joins by itself: by the address's token, else by the one the account was signed up with. An invitation that is only remembered by this
 * browser asks first: somebody else may have begun it.
 */
export function Component() {
  const [kept] = useState(keptInvite);
  const token = useSearchParams()[0].get("token") || null;
  if (token === null && kept) return <Navigate to={paths.join(kept.token)} replace />;
  return <Joining token={token} workspaceId={kept?.workspaceId ?? ""} />;
}

function Joining({ token, workspaceId }: { token: string | null; workspaceId: string }) {
  const email = useProfile().data?.email ?? "";
  const signInAsOther = useOtherAccount({ token: token ?? "", workspaceId });
  const refused = useJoining(token);

  if (refused === undefined) return <Working title="Joining team" />;
  if (token === null && isWithoutInvitation(refused)) return <NoToken />;
  return <JoinRefused error={refused} email={email} onOtherAccount={signInAsOther} />;
}

const isWithoutInvitation = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === "invalid_invitation" || error.code === "validation_failed" || error.code === "not_found");

function NoToken() {
  return (
    <NarrowPage title="Joining team" text="No invitation token found. Please try again with a valid invitation link.">
      <ButtonLink to={paths.workspaces} variant="primary" wide>
        Go to Workspaces
      </ButtonLink>
    </NarrowPage>
  );
}

/** Joins once and goes to the workspace; returns why it was refused. */
function useJoining(token: string | null): unknown {
  const navigate = useNavigate();
  const dropWorkspaces = useDropWorkspaces();
  const [refused, setRefused] = useState<unknown>();
  const asked = useRef(false);

  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    async function enter() {
      const workspaceId = await join(token);
      await dropWorkspaces();
      await navigate(paths.dashboard(workspaceId), { replace: true });
    }
    enter().catch(setRefused);
  }, [token, dropWorkspaces, navigate]);
  return refused;
}
