import { useState } from "react";
import { Checkbox } from "../../components/checkbox.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { Dialog } from "../../components/dialog.tsx";
import type { InviteTerms } from "./use-invites.ts";
import { roleNames } from "./role-names.ts";
import css from "./invite-dialog.module.css";
import { LinkInvitation } from "./link-invitation.tsx";
import { MailInvitation } from "./mail-invitation.tsx";

interface InviteDialogProps {
  workspaceId: string;
  /** The owner; an admin invites up to the role below their own (product decision 2). */
  canInviteAdmins: boolean;
  onClose: () => void;
}

const types = {
  link: "Generate an invitation link to share with a new team member",
  email: "Invite a team member via email",
} as const;

/** Invites by a link to hand on, or by mail. Source: specification, section 2 ("Team page"). */
export function InviteDialog({ workspaceId, canInviteAdmins, onClose }: InviteDialogProps) {
  const [type, setType] = useState<keyof typeof types>("link");
  const [terms, setTerms] = useState<InviteTerms>({ role: "viewer", isAdmin: false });
  return (
    <Dialog open title="Invite Team Member" width="32rem" onClose={onClose}>
      <div className={css.dialog}>
        <ChoiceGroup
          legend="Kind of invitation"
          hideLegend
          choices={[
            { value: "link", label: "Link", icon: "link" },
            { value: "email", label: "Email", icon: "envelope" },
          ]}
          value={type}
          onChange={setType}
        />
        <p className={css.what}>{types[type]}</p>
        <ChoiceGroup
          legend="Role"
          choices={[
            { value: "viewer", label: roleNames.viewer },
            { value: "editor", label: roleNames.editor },
          ]}
          value={terms.role === "editor" ? "editor" : "viewer"}
          disabled={terms.isAdmin}
          onChange={(role) => setTerms({ ...terms, role })}
        />
        {canInviteAdmins && (
          <Checkbox
            label="Administrator"
            note="May do everything but change roles, remove members and switch the public page."
            checked={terms.isAdmin}
            onChange={({ target }) => setTerms({ ...terms, isAdmin: target.checked })}
          />
        )}
        {type === "email" ? (
          <MailInvitation workspaceId={workspaceId} terms={terms} />
        ) : (
          <LinkInvitation key={`${terms.role}${terms.isAdmin}`} workspaceId={workspaceId} terms={terms} /> // other terms, another link
        )}
      </div>
    </Dialog>
  );
}
