import { useState } from "react";
import { z } from "zod";
import { email } from "#contract/auth.ts";
import type { NewInvite } from "#contract/invites.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { TextField } from "../../components/text-field.tsx";
import { toasts } from "../../lib/toasts.ts";
import { type InviteTerms, useInvites } from "./use-invites.ts";
import { useCopied } from "./use-copied.ts";
import { InviteUrl } from "./invite-url.tsx";
import css from "./invite-dialog.module.css";

const addressForm = z.object({ email });

/** Invites one address; where no mail can be sent, the link is shown to be handed on. Source: product decision 3. */
export function MailInvitation({ workspaceId, terms }: { workspaceId: string; terms: InviteTerms }) {
  const { createMail } = useInvites(workspaceId);
  const [made, setMade] = useState<{ invite: NewInvite; terms: InviteTerms }>();
  const [sent, setSent] = useState(0);
  const { copied, copy } = useCopied();

  if (made?.terms === terms) {
    return (
      <div className={css.link}>
        <p className={css.note} role="status">
          No mail can be sent from here. Hand this link on yourself: it works only for {made.invite.email}.
        </p>
        <InviteUrl url={made.invite.url} />
        <Button variant="primary" icon={copied ? "check" : "copy"} wide onClick={() => void copy(made.invite.url)}>
          <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
        </Button>
      </div>
    );
  }
  return (
    <ContractForm
      key={sent}
      schema={addressForm}
      failure="The invitation was not sent. Please try again later."
      onSubmit={async ({ email }) => {
        const { invite, mailed, renewed } = await createMail(terms, email);
        if (!mailed) return setMade({ invite, terms });
        setSent(sent + 1);
        toasts.success(renewed ? "Invitation sent again" : "Invitation sent", `${email} has seven days to accept it.`);
      }}
    >
      {({ submitting }) => (
        <>
          <TextField name="email" label="Email" type="email" autoComplete="off" autoFocus />
          <Button type="submit" variant="primary" icon="send" wide busy={submitting}>
            Send invitation
          </Button>
        </>
      )}
    </ContractForm>
  );
}
