import { Suspense, useState } from "react";
import type { Role } from "#contract/kinds.ts";
import { assignableRoles, type TeamMember } from "#contract/team.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Note, Row, Text } from "../../ui/layout.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import { Select } from "../../ui/select.tsx";
import { roleNames } from "./role-names.ts";
import { toasts } from "../../lib/toasts.ts";
import { useMembers } from "./use-members.ts";

const InviteDialog = lazyPart(() => import("./invite-dialog.tsx"), "InviteDialog");
const ConfirmDialog = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmDialog");

interface MembersCardProps {
  workspaceId: string;
  selfId: string | undefined;
  isOwner: boolean;
  /** True for owner and admins. */
  canInvite: boolean;
}

/** Source: specification, sections 2 and 6. */
export function MembersCard({ workspaceId, selfId, isOwner, canInvite }: MembersCardProps) {
  const { members, error, reload, setRole, remove } = useMembers(workspaceId);
  const [inviting, setInviting] = useState(false);
  const [leaver, setLeaver] = useState<TeamMember>();
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set());

  async function change(memberId: string, write: () => Promise<unknown>) {
    setBusyIds((ids) => new Set(ids).add(memberId));
    try {
      await write();
    } catch (error) {
      toasts.failure("Couldn't change the team", error);
    } finally {
      setBusyIds((ids) => new Set([...ids].filter((id) => id !== memberId)));
    }
  }
  async function removeFromTeam(member: TeamMember) {
    await remove(member.user_id);
    setLeaver((current) => (current === member ? undefined : current));
  }

  const isChangeable = ({ role }: TeamMember) => isOwner && role !== "owner";
  const isBusy = ({ user_id }: TeamMember) => busyIds.has(user_id);

  const columns: Column<TeamMember>[] = [
    { header: "NAME", cell: (member) => <Person member={member} isSelf={member.user_id === selfId} />, isRowHeader: true },
    {
      header: "ROLE",
      cell: (member) =>
        isChangeable(member) ? (
          <Select
            aria-label={`Role of ${member.full_name}`}
            value={member.role}
            options={rolesFor(member).map((role) => [role, roleNames[role]])}
            disabled={isBusy(member)}
            onChange={(value) => {
              const role = assignableRoles.find((one) => one === value);
              if (role) void change(member.user_id, () => setRole(member.user_id, role));
            }}
          />
        ) : (
          <Row as="span">
            {member.role === "owner" && (
              <Text as="span" tone="accent">
                <Icon name="shield" />
              </Text>
            )}
            {roleNames[member.role]}
          </Row>
        ),
      width: "12rem",
    },
    {
      header: "ACTIONS",
      cell: (member) =>
        isChangeable(member) && (
          <IconButton icon="trash" label={`Remove ${member.full_name}`} disabled={isBusy(member)} onClick={() => setLeaver(member)} />
        ),
      width: "6rem",
      card: "corner",
    },
  ];

  return (
    <ListSection
      id="members"
      title="Current Team Members"
      action={
        canInvite && (
          <Button variant="primary" icon="user-plus" onClick={() => setInviting(true)}>
            Generate Invite link
          </Button>
        )
      }
    >
      <DataTable
        aria-labelledby="members"
        columns={columns}
        rows={members}
        rowKey={({ user_id }) => user_id}
        load={{ noun: "the team", error: members ? undefined : error, onRetry: () => void reload(), skeletons: 3 }}
      />
      <Suspense>
        {inviting && <InviteDialog workspaceId={workspaceId} canInviteAdmins={isOwner} onClose={() => setInviting(false)} />}
        {leaver && (
          <ConfirmDialog
            title="Remove from the team?"
            confirm="Remove"
            danger
            busy={busyIds.has(leaver.user_id)}
            onConfirm={() => void change(leaver.user_id, () => removeFromTeam(leaver))}
            onClose={() => setLeaver(undefined)}
          >
            <p>Are you sure you want to remove {leaver.full_name} from the team?</p>
          </ConfirmDialog>
        )}
      </Suspense>
    </ListSection>
  );
}

/** Admins are shown as such until changed. */
const rolesFor = ({ role }: TeamMember): readonly Role[] => (role === "admin" ? ["admin", ...assignableRoles] : assignableRoles);

function Person({ member: { full_name, email, avatar_url }, isSelf }: { member: TeamMember; isSelf: boolean }) {
  return (
    <Row as="span" gap={3} nowrap>
      <Avatar name={full_name} src={avatar_url} />
      <span>
        {full_name}
        {isSelf && <Note as="span"> (you)</Note>}
        {email && <Note>{email}</Note>}
      </span>
    </Row>
  );
}
