import type { InviteInfo } from "#contract/invites.ts";
import type { ReactNode } from "react";
import { NarrowPage } from "../../components/narrow-page.tsx";
import { invitedRoleName } from "./role-name.ts";

/** 'You're invited!', to what and as what; below it what can be done. */
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
      {children}
    </NarrowPage>
  );
}
