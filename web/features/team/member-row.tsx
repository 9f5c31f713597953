import { assignableRoles, type TeamMember } from "#contract/team.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { AssignableRole } from "./use-members.ts";
import { roleNames } from "./role-names.ts";
import css from "./members-card.module.css";

interface MemberRowProps {
  member: TeamMember;
  isSelf: boolean;
  /** True for the owner, on other members. */
  canChange: boolean;
  busy: boolean;
  onRole: (role: AssignableRole) => void;
  onRemove: () => void;
}

export function MemberRow({ member, isSelf, canChange, busy, onRole, onRemove }: MemberRowProps) {
  const { full_name, email, role, avatar_url } = member;
  return (
    <tr>
      <th scope="row">
        <span className={css.person}>
          <Avatar name={full_name} src={avatar_url} />
          <span className={css.words}>
            <span className={css.name}>
              {full_name}
              {isSelf && <span className={css.muted}> (you)</span>}
            </span>
            {email && <span className={css.muted}>{email}</span>}
          </span>
        </span>
      </th>
      <td className={css.role}>
        {canChange ? (
          <RoleChoice name={full_name} role={role} busy={busy} onRole={onRole} />
        ) : (
          <>
            {role === "owner" && <Icon name="shield" className={css.shield} />}
            {roleNames[role]}
          </>
        )}
      </td>
      <td className={css.actions}>
        {canChange && <IconButton icon="trash" label={`Remove ${full_name}`} disabled={busy} onClick={onRemove} />}
      </td>
    </tr>
  );
}

/** Editor or viewer; admins show as such until changed. */
function RoleChoice({
  name,
  role,
  busy,
  onRole,
}: {
  name: string;
  role: TeamMember["role"];
  busy: boolean;
  onRole: MemberRowProps["onRole"];
}) {
  const choose = (value: string) => {
    const newRole = assignableRoles.find((one) => one === value);
    if (newRole && newRole !== role) onRole(newRole);
  };
  return (
    <select
      className={css.select}
      aria-label={`Role of ${name}`}
      value={role}
      disabled={busy}
      onChange={(event) => choose(event.target.value)}
    >
      {role === "admin" && <option value="admin">{roleNames.admin}</option>}
      {assignableRoles.map((one) => (
        <option key={one} value={one}>
          {roleNames[one]}
        </option>
      ))}
    </select>
  );
}
