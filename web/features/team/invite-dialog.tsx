import { useState } from "react";
import { z } from "zod";
import { type NewInvite, pastedEmails } from "#contract/invites.ts";
import { ButtonRow } from "../../ui/button-row.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { useCopied } from "../../ui/copy-button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Input } from "../../ui/input.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { TextAreaField } from "../../ui/text-area-field.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { type InviteTerms, useInvites } from "./use-invites.ts";
import { roleNames } from "./role-names.ts";

interface InviteDialogProps {
  workspaceId: string;
  /** True for the owner; admins invite lower roles (product decision 2). */
  canInviteAdmins: boolean;
  onClose: () => void;
}

const types = {
  link: "Generate an invitation link to share with a new team member",
  email: "Invite a team member via email",
} as const;

/** Source: specification, section 2 ("Team page"). */
export function InviteDialog({ workspaceId, canInviteAdmins, onClose }: InviteDialogProps) {
  const [type, setType] = useState<keyof typeof types>("link");
  const [terms, setTerms] = useState<InviteTerms>({ role: "viewer", isAdmin: false });
  return (
    <Dialog open title="Invite Team Member" width="32rem" hasForm onClose={onClose}>
      <Stack>
        <ChoiceGroup
          legend="Invitation type"
          hideLegend
          choices={[
            { value: "link", label: "Link", icon: "link" },
            { value: "email", label: "Email", icon: "envelope" },
          ]}
          value={type}
          onChange={setType}
        />
        <Text tone="muted">{types[type]}</Text>
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
            note="Full access, except changing roles, removing members and making the changelog public."
            checked={terms.isAdmin}
            onChange={({ target }) => setTerms({ ...terms, isAdmin: target.checked })}
          />
        )}
        <div hidden={type !== "email"}>
          <MailInvitation workspaceId={workspaceId} terms={terms} onClose={onClose} />
        </div>
        {type === "link" && (
          <LinkInvitation key={`${terms.role}${terms.isAdmin}`} workspaceId={workspaceId} terms={terms} onClose={onClose} /> // new terms need a new link
        )}
      </Stack>
    </Dialog>
  );
}

interface InvitationProps {
  workspaceId: string;
  terms: InviteTerms;
  onClose: () => void;
}

const failure = "Failed to generate invitation link";

/** After generating, the button copies the link. Source: specification, section 4 ("Invite dialog"). */
function LinkInvitation({ workspaceId, terms, onClose }: InvitationProps) {
  const { createLink } = useInvites(workspaceId);
  const [url, setUrl] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { copied, copy } = useCopied(confirmCopy);

  async function generate() {
    setBusy(true);
    try {
      setUrl((await createLink(terms)).url);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      const isGone = code === "not_found"; // deleted workspace or removed member
      if (code !== "unauthenticated") toasts.error(failure, isGone ? "No workspace ID found" : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack gap={3}>
      {url && <Input readOnly aria-label="Invitation link" value={url} onFocus={(event) => event.target.select()} />}
      {url && <Text tone="muted">Single use. Expires in 7 days.</Text>}
      <ButtonRow>
        <Button onClick={onClose}>{url ? "Done" : "Cancel"}</Button>
        <Button
          variant="primary"
          icon={url ? (copied ? "check" : "copy") : "link"}
          busy={busy}
          onClick={() => void (url ? copy(url) : generate())}
        >
          <span aria-live="polite">{url ? (copied ? "Copied" : "Copy") : busy ? "Generating…" : "Generate link"}</span>
        </Button>
      </ButtonRow>
    </Stack>
  );
}

const addressForm = z.object({ emails: pastedEmails });

/** Without email delivery it shows the links instead. Source: product decision 3. */
function MailInvitation({ workspaceId, terms, onClose }: InvitationProps) {
  const { inviteMany } = useInvites(workspaceId);
  const [unsent, setUnsent] = useState<{ invites: NewInvite[]; terms: InviteTerms }>();
  const [sent, setSent] = useState(0);

  if (unsent?.terms === terms) {
    return (
      <Stack gap={3}>
        <Text tone="muted" role="status">
          We couldn't send these invitations. Share the links yourself. Each one only works for its address.
        </Text>
        {unsent.invites.map(({ id, email, url }) => (
          <div key={id}>
            <Text size="small">{email}</Text>
            <CopyField label={`Link for ${email}`} text={url} buttonLabel={`the link for ${email}`} onCopied={confirmCopy} />
          </div>
        ))}
        <ButtonRow>
          <Button onClick={onClose}>Done</Button>
        </ButtonRow>
      </Stack>
    );
  }
  return (
    <ContractForm
      key={sent}
      schema={addressForm}
      failure="Couldn't send the invitations. Please try again later."
      onSubmit={async ({ emails }) => {
        const { invites, members } = await inviteMany(terms, emails);
        const [mailed, rest] = [invites.filter(({ mailed }) => mailed), invites.filter(({ mailed }) => !mailed)];
        if (mailed.length > 0) toasts.success(invitationsSent(mailed), "The links are valid for 7 days.");
        if (members.length > 0) toasts.warning("Already in the team", listOf.format(members));
        if (rest.length > 0) return setUnsent({ invites: rest.map(({ invite }) => invite), terms });
        setSent(sent + 1);
      }}
    >
      <TextAreaField
        name="emails"
        label="Email addresses"
        rows={3}
        autoFocus
        hint="Separate several addresses with commas or spaces, or paste a list."
      />
      <ButtonRow>
        <Button onClick={onClose}>{sent > 0 ? "Done" : "Cancel"}</Button>
        <SubmitButton variant="primary" icon="send">
          Send invitations
        </SubmitButton>
      </ButtonRow>
    </ContractForm>
  );
}

const listOf = new Intl.ListFormat("en");

function invitationsSent(mailed: { renewed: boolean }[]): string {
  const renewed = mailed.filter(({ renewed }) => renewed).length;
  if (renewed === mailed.length) return renewed === 1 ? "Invitation sent again" : `${renewed} invitations sent again`;
  const all = mailed.length === 1 ? "Invitation sent" : `${mailed.length} invitations sent`;
  return renewed === 0 ? all : `${all}, ${renewed} of them again`;
}

const confirmCopy = () => toasts.success("Link copied to clipboard");
