import { useEffect, useState } from "react";
import { z } from "zod";
import { email } from "#contract/auth.ts";
import type { NewInvite } from "#contract/invites.ts";
import { ButtonRow } from "../../ui/button-row.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { ContractForm } from "../../ui/contract-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { copiedMs } from "../../lib/timings.ts";
import { toasts } from "../../lib/toasts.ts";
import { InviteUrl } from "./invite-url.tsx";
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
    <Dialog open title="Invite Team Member" width="32rem" onClose={onClose}>
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
        {type === "email" ? (
          <MailInvitation workspaceId={workspaceId} terms={terms} />
        ) : (
          <LinkInvitation key={`${terms.role}${terms.isAdmin}`} workspaceId={workspaceId} terms={terms} /> // new terms need a new link
        )}
      </Stack>
    </Dialog>
  );
}

const failure = "Failed to generate invitation link";

/** After generating, the button copies the link. Source: specification, section 4 ("Invite dialog"). */
function LinkInvitation({ workspaceId, terms }: { workspaceId: string; terms: InviteTerms }) {
  const { createLink } = useInvites(workspaceId);
  const [url, setUrl] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { copied, copy } = useCopied();

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
      {url && <InviteUrl url={url} />}
      {url && <Text tone="muted">Single use. Expires in 7 days.</Text>}
      <ButtonRow>
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

const addressForm = z.object({ email });

/** Without email delivery it shows the link instead. Source: product decision 3. */
function MailInvitation({ workspaceId, terms }: { workspaceId: string; terms: InviteTerms }) {
  const { createMail } = useInvites(workspaceId);
  const [unsentInvite, setUnsentInvite] = useState<{ invite: NewInvite; terms: InviteTerms }>();
  const [sent, setSent] = useState(0);
  const { copied, copy } = useCopied();

  if (unsentInvite?.terms === terms) {
    return (
      <Stack gap={3}>
        <Text tone="muted" role="status">
          Email isn't set up. Share this link yourself. It only works for {unsentInvite.invite.email}.
        </Text>
        <InviteUrl url={unsentInvite.invite.url} />
        <ButtonRow>
          <Button variant="primary" icon={copied ? "check" : "copy"} onClick={() => void copy(unsentInvite.invite.url)}>
            <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
          </Button>
        </ButtonRow>
      </Stack>
    );
  }
  return (
    <ContractForm
      key={sent}
      schema={addressForm}
      failure="Couldn't send the invitation. Please try again later."
      onSubmit={async ({ email }) => {
        const { invite, mailed, renewed } = await createMail(terms, email);
        if (!mailed) return setUnsentInvite({ invite, terms });
        setSent(sent + 1);
        toasts.success(renewed ? "Invitation sent again" : "Invitation sent", `${email} has 7 days to accept it.`);
      }}
    >
      {({ submitting }) => (
        <>
          <TextField name="email" label="Email" type="email" autoComplete="off" autoFocus />
          <ButtonRow>
            <Button type="submit" variant="primary" icon="send" busy={submitting}>
              Send invitation
            </Button>
          </ButtonRow>
        </>
      )}
    </ContractForm>
  );
}

/** `copied` for 3 s. Source: specification, sections 8 and 9. */
function useCopied(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      toasts.success("Link copied to clipboard");
    } catch {
      toasts.error("Couldn't copy the link", "Your browser blocked it. Select the link and copy it manually.");
    }
  }
  return { copied, copy };
}
