import { useState } from "react";
import { bannerRelativeTime } from "#contract/rules/banner-relative-time.ts";
import { type Invite, invitedRoles, type NewInvite } from "#contract/invites.ts";
import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { List, Row, Stack, Text } from "../../ui/layout.tsx";
import { ListItem } from "../../ui/list-item.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import { Select } from "../../ui/select.tsx";
import { toasts } from "../../lib/toasts.ts";
import { useAction } from "../../lib/use-action.ts";
import { useInvites } from "./use-invites.ts";
import { roleNames } from "./role-names.ts";
import { moment } from "../../lib/moment.ts";

interface OpenInvitationsProps {
  workspaceId: string;
  /** True for the owner, who alone manages admin invitations. */
  canInviteAdmins: boolean;
}

/** Unused invitations: change role, resend, revoke. */
export function OpenInvitations({ workspaceId, canInviteAdmins }: OpenInvitationsProps) {
  const { invites, error, reload, setRole, createMail, revoke } = useInvites(workspaceId);
  const { running, run } = useAction();
  const [unsentInvite, setUnsentInvite] = useState<NewInvite>();
  const open = openInvites(invites ?? [], new Date());

  const change = async (id: string, on: "role" | "again" | "revoke", failure: string, write: () => Promise<void>) => {
    if (running === undefined) await run(`${on} ${id}`, failure, write);
  };
  const revokeInvite = ({ id }: Invite) =>
    change(id, "revoke", "Couldn't revoke the invitation", async () => {
      await revoke(id);
      toasts.success("Invitation revoked");
    });
  const resend = ({ id, role }: Invite, email: string) =>
    change(id, "again", "Couldn't resend the invitation", async () => {
      const { invite, mailed } = await createMail({ role, isAdmin: false }, email);
      if (!mailed) return setUnsentInvite(invite);
      toasts.success("Invitation sent again", `${email} has 7 days to accept it.`);
    });
  const changeRole = ({ id }: Invite, role: Invite["role"]) =>
    change(id, "role", "Couldn't change the role", async () => {
      await setRole(id, role);
      toasts.success("Role changed", "Links already sent still work.");
    });

  if (error && !invites) {
    return <ListLoading label="the invitations" error={error} rows={1} onRetry={() => void reload()} />;
  }
  if (open.length === 0) return null;
  return (
    <ListSection id="invitations" title="Open invitations">
      <List role="list" aria-labelledby="invitations">
        {open.map((invite) => {
          const { id, email, role } = invite;
          const busy = (on: "role" | "again" | "revoke") => running === `${on} ${id}`;
          const whose = email ? `of ${email}` : `link for ${roleNames[role]}`;
          const canChange = canInviteAdmins || role !== "admin";
          return (
            <ListItem
              key={id}
              icon={email ? "envelope" : "link"}
              title={email ?? "Invitation link"}
              note={
                <>
                  {!canChange && `${roleNames[role]} · `}
                  {invite.created_by_name && `invited by ${invite.created_by_name} · `}
                  <time dateTime={invite.expires_at} title={moment(invite.expires_at)}>
                    expires {bannerRelativeTime(invite.expires_at, new Date())}
                  </time>
                </>
              }
            >
              <Row>
                {canChange && (
                  <Select
                    aria-label={`Role of the invitation ${whose}`}
                    value={role}
                    options={invitedRoles.filter((one) => canInviteAdmins || one !== "admin").map((one) => [one, roleNames[one]])}
                    disabled={busy("role")}
                    onChange={(newRole) => void changeRole(invite, newRole)}
                  />
                )}
                {email && canChange && (
                  <Button
                    size="small"
                    busy={busy("again")}
                    aria-label={`Send the invitation of ${email} again`}
                    onClick={() => void resend(invite, email)}
                  >
                    Resend
                  </Button>
                )}
                <Button
                  size="small"
                  busy={busy("revoke")}
                  aria-label={`Revoke the invitation ${whose}`}
                  onClick={() => void revokeInvite(invite)}
                >
                  Revoke
                </Button>
              </Row>
              {unsentInvite?.id === id && (
                <Stack gap={2} grow="100%" role="status">
                  <Text tone="muted">Email isn't set up. Share this link yourself. It only works for {email}.</Text>
                  <CopyField label="Invitation link" text={unsentInvite.url} buttonLabel="the invitation link" />
                </Stack>
              )}
            </ListItem>
          );
        })}
      </List>
    </ListSection>
  );
}

function openInvites(invites: readonly Invite[], now: Date): Invite[] {
  return invites.filter(
    ({ accepted_at, revoked_at, expires_at }) => accepted_at === null && revoked_at === null && Date.parse(expires_at) > now.getTime(),
  );
}
