import { deleteAccountInput, profileEndpoints } from "#contract/profile.ts";
import { Button } from "../../ui/button.tsx";
import { ContractForm } from "../../ui/contract-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useSignOut } from "../account/use-sign-out.ts";
import { Row } from "../../ui/layout.tsx";

export function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const signOut = useSignOut();
  return (
    <Dialog open title="Delete your account?" width="32rem" onClose={onClose}>
      <ContractForm
        schema={deleteAccountInput}
        failure="Couldn't delete your account. Try again later."
        onSubmit={async (body) => {
          await call(profileEndpoints.remove, { body });
          toasts.success("Account deleted", `We've sent a confirmation to ${email}.`);
          signOut();
        }}
      >
        {({ submitting }) => (
          <>
            <p>
              This permanently deletes <strong>{email}</strong>: your profile, sessions, API keys and connected assistants. You leave all
              workspaces. It can't be undone.
            </p>
            <TextField name="password" label="Current password" type="password" autoComplete="current-password" autoFocus />
            <Row gap={3} justify="end">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="danger" busy={submitting}>
                Delete account
              </Button>
            </Row>
          </>
        )}
      </ContractForm>
    </Dialog>
  );
}
