import { useEffect, useRef, useState } from "react";
import { Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../ui/button.tsx";
import { NarrowPage } from "../ui/page.tsx";
import { join } from "../features/invitations/join.ts";
import { JoinRefused } from "../features/invitations/join-refused.tsx";
import { Working } from "../features/invitations/working.tsx";
import { useOtherAccount } from "../features/invitations/use-other-account.ts";
import { useProfile } from "../features/account/profile.ts";
import { useDropWorkspaces } from "../features/workspaces/use-workspaces.ts";
import { ApiError } from "../lib/api-client.ts";
import { storedInvite } from "../lib/stored-invite.ts";

/** Joins with the token in the URL, or the one the account signed up with. A token stored in this browser asks first: another user may have stored it. */
export function Component() {
  const [invite] = useState(storedInvite);
  const token = useSearchParams()[0].get("token") || null;
  if (token === null && invite) return <Navigate to={paths.join(invite.token)} replace />;
  return <Joining token={token} workspaceId={invite?.workspaceId ?? ""} />;
}

function Joining({ token, workspaceId }: { token: string | null; workspaceId: string }) {
  const email = useProfile().data?.email ?? "";
  const signInAsOther = useOtherAccount({ token: token ?? "", workspaceId });
  const error = useJoining(token);

  if (error === undefined) return <Working title="Joining team" />;
  if (token === null && isWithoutInvitation(error)) return <NoToken />;
  return <JoinRefused error={error} email={email} onOtherAccount={signInAsOther} />;
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

/** Joins once and opens the workspace; returns the error. */
function useJoining(token: string | null): unknown {
  const navigate = useNavigate();
  const dropWorkspaces = useDropWorkspaces();
  const [error, setRefused] = useState<unknown>();
  const started = useRef(false);

  useEffect(() => {
    if (started.current) return;
    started.current = true;
    async function enter() {
      const workspaceId = await join(token);
      await dropWorkspaces();
      await navigate(paths.dashboard(workspaceId), { replace: true });
    }
    enter().catch(setRefused);
  }, [token, dropWorkspaces, navigate]);
  return error;
}
