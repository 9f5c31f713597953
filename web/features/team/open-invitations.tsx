import { useState } from "react";
import { bannerRelativeTime } from "#contract/rules/banner-relative-time.ts";
import type { Invite } from "#contract/invites.ts";
import { Button } from "../../components/button.tsx";
import { FormError } from "../../components/form-error.tsx";
import { Icon } from "../../components/icon.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useInvites } from "./use-invites.ts";
import { roleNames } from "./role-names.ts";
import { moment } from "../../lib/moment.ts";
import css from "./open-invitations.module.css";

/** Invitations that nobody has used yet, until when they can be, and a way to take each back. */
export function OpenInvitations({ workspaceId }: { workspaceId: string }) {
  const { invites, error, revoke } = useInvites(workspaceId);
  const [revoking, setRevoking] = useState<string>();
  const open = openInvites(invites ?? [], new Date());

  async function takeBack(invite: Invite) {
    setRevoking(invite.id);
    try {
      await revoke(invite.id);
      toasts.success("Invitation revoked");
    } catch (error) {
      toasts.error("The invitation was not revoked", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setRevoking(undefined);
    }
  }

  if (error && !invites) return <FormError title="The invitations could not be read" message={error.message} />;
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">Open invitations</h2>
      <ul role="list" className={css.list} aria-labelledby="invitations">
        {open.map((invite) => (
          <li key={invite.id} className={css.invite}>
            <Icon name={invite.email ? "envelope" : "link"} className={css.icon} />
            <span className={css.words}>
              <span className={css.who}>{invite.email ?? "Invitation link"}</span>
              <span className={css.terms}>
                {roleNames[invite.role]}
                {invite.created_by_name && ` · invited by ${invite.created_by_name}`}
                {" · "}
                <time dateTime={invite.expires_at} title={moment(invite.expires_at)}>
                  expires {bannerRelativeTime(invite.expires_at, new Date())}
                </time>
              </span>
            </span>
            <Button
              size="small"
              busy={revoking === invite.id}
              aria-label={`Revoke the invitation ${invite.email ? `of ${invite.email}` : `link for ${roleNames[invite.role]}`}`}
              onClick={() => void takeBack(invite)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The invitations that somebody can still use. */
function openInvites(invites: readonly Invite[], now: Date): Invite[] {
  return invites.filter(
    ({ accepted_at, revoked_at, expires_at }) => accepted_at === null && revoked_at === null && Date.parse(expires_at) > now.getTime(),
  );
}
