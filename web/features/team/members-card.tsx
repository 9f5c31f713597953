import { Suspense, useState } from "react";
import type { TeamMember } from "#contract/team.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/empty-state.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { type AssignableRole, useMembers } from "./use-members.ts";
import { MemberRow } from "./member-row.tsx";
import css from "./members-card.module.css";
import { lazyPart } from "../../ui/lazy-part.tsx";

const InviteDialog = lazyPart(
  () => import("./invite-dialog.tsx"),
  (part) => part.InviteDialog,
);
const ConfirmDialog = lazyPart(
  () => import("../../ui/confirm-dialog.tsx"),
  (part) => part.ConfirmDialog,
);

interface MembersCardProps {
  workspaceId: string;
  selfId: string | undefined;
  isOwner: boolean;
  /** True for owner and admins. */
  canInvite: boolean;
}

/** Errors of changes are only logged. Source: specification, sections 2, 6 and 8. */
export function MembersCard({ workspaceId, selfId, isOwner, canInvite }: MembersCardProps) {
  const { members, error, reload, setRole, remove } = useMembers(workspaceId);
  const [inviting, setInviting] = useState(false);
  const [leaver, setLeaver] = useState<TeamMember>();
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set());

  async function change(memberId: string, write: () => Promise<void>) {
    setBusyIds((ids) => new Set(ids).add(memberId));
    await write().catch((error: unknown) => console.error("Couldn't change the team.", error));
    setBusyIds((ids) => new Set([...ids].filter((id) => id !== memberId)));
  }
  async function removeFromTeam(member: TeamMember) {
    await change(member.user_id, () => remove(member.user_id));
    setLeaver((current) => (current === member ? undefined : current));
  }

  return (
    <section aria-labelledby="members">
      <header className={css.head}>
        <h2 id="members">Current Team Members</h2>
        {canInvite && (
          <Button variant="primary" icon="user-plus" onClick={() => setInviting(true)}>
            Generate Invite link
          </Button>
        )}
      </header>
      {members ? (
        <table className={css.table} aria-labelledby="members">
          <thead>
            <tr>
              <th scope="col">NAME</th>
              <th scope="col">ROLE</th>
              <th scope="col">ACTIONS</th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <MemberRow
                key={member.user_id}
                member={member}
                isSelf={member.user_id === selfId}
                canChange={isOwner && member.role !== "owner"}
                busy={busyIds.has(member.user_id)}
                onRole={(role: AssignableRole) => void change(member.user_id, () => setRole(member.user_id, role))}
                onRemove={() => setLeaver(member)}
              />
            ))}
          </tbody>
        </table>
      ) : error ? (
        <Failure title="Couldn't load the team" text={error.message} onRetry={() => void reload()} />
      ) : (
        <Loading label="Loading the team">
          <div className={css.waiting}>
            {[1, 2, 3].map((row) => (
              <Skeleton key={row} height="2.75rem" />
            ))}
          </div>
        </Loading>
      )}
      <Suspense>
        {inviting && <InviteDialog workspaceId={workspaceId} canInviteAdmins={isOwner} onClose={() => setInviting(false)} />}
        {leaver && (
          <ConfirmDialog
            title="Remove from the team?"
            confirm="Remove"
            danger
            busy={busyIds.has(leaver.user_id)}
            onConfirm={() => void removeFromTeam(leaver)}
            onClose={() => setLeaver(undefined)}
          >
            <p>Are you sure you want to remove {leaver.full_name} from the team?</p>
          </ConfirmDialog>
        )}
      </Suspense>
    </section>
  );
}
