import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Failure } from "../ui/empty-state.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { useProfile } from "../features/account/profile.ts";
import { MembersCard } from "../features/team/members-card.tsx";
import { OpenInvitations } from "../features/team/open-invitations.tsx";
import { TransferOwnershipSection } from "../features/workspace-settings/transfer-ownership-section.tsx";
import { LeaveSection } from "../features/workspace-settings/leave-section.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { Stack } from "../ui/layout.tsx";

/** Owners and admins manage the team, editors see it. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const selfId = useProfile().data?.user_id;
  const isOwner = role === "owner";
  const canView = role !== "viewer"; // role unknown: the server checks
  const manages = canView && role !== "editor";
  return (
    <Stack key={workspace.id} gap={12}>
      <PageTitle title="Team Management" subtitle="Manage your team members and their permissions" context={workspace.name} />
      {canView ? (
        <>
          <MembersCard workspaceId={workspace.id} selfId={selfId} isOwner={isOwner} canInvite={manages} />
          {manages && <OpenInvitations workspaceId={workspace.id} canInviteAdmins={isOwner} />}
          <div>{isOwner ? <TransferOwnershipSection workspace={workspace} /> : <LeaveSection workspace={workspace} />}</div>
        </>
      ) : (
        <Failure
          drawing="signpost"
          title="Owners and admins manage the team"
          text="Ask one of them to add or remove members."
          action={<ButtonLink to={paths.dashboard(workspace.id)}>Go to the dashboard</ButtonLink>}
        />
      )}
    </Stack>
  );
}
