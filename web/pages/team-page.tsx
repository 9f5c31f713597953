import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../components/button.tsx";
import { Failure } from "../components/failure.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { useProfile } from "../features/session/profile.ts";
import { MembersCard } from "../features/team/members-card.tsx";
import { OpenInvitations } from "../features/team/open-invitations.tsx";
import { HandOverSection } from "../features/workspace-settings/hand-over-section.tsx";
import { LeaveSection } from "../features/workspace-settings/leave-section.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import css from "./team-page.module.css";

/** Who is in the workspace, who is invited, and how one leaves. Owners and admins manage it, editors look at it. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const selfId = useProfile().data?.user_id;
  const isOwner = role === "owner";
  const mayLook = role !== "viewer"; // unknown: the server decides
  const manages = mayLook && role !== "editor";
  return (
    <div key={workspace.id} className={css.page}>
      <PageTitle title="Team Management" subtitle="Manage your team members and their permissions" context={workspace.name} />
      {mayLook ? (
        <>
          <MembersCard workspaceId={workspace.id} selfId={selfId} isOwner={isOwner} canInvite={manages} />
          {manages && <OpenInvitations workspaceId={workspace.id} canInviteAdmins={isOwner} />}
          <div>{isOwner ? <HandOverSection workspace={workspace} /> : <LeaveSection workspace={workspace} />}</div>
        </>
      ) : (
        <Failure
          drawing="signpost"
          title="The team is managed by owners and administrators"
          text="Ask one of them when somebody should join or leave."
          action={<ButtonLink to={paths.dashboard(workspace.id)}>Go to the dashboard</ButtonLink>}
        />
      )}
    </div>
  );
}
