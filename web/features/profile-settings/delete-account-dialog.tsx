import { deleteAccountInput, profileEndpoints } from "#contract/profile.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useSignOut } from "../account/use-sign-out.ts";

export function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const signOut = useSignOut();
  return (
    <FormDialog
      title="Delete your account?"
      width="32rem"
      verb="Delete account"
      danger
      schema={deleteAccountInput}
      failure="Couldn't delete your account. Try again later."
      onSubmit={async (body) => {
        await call(profileEndpoints.remove, { body });
        toasts.success("Account deleted", `We've sent a confirmation to ${email}.`);
        signOut();
      }}
      onClose={onClose}
    >
      <p>
        This permanently deletes <strong>{email}</strong>: your profile, sessions, API keys and connected assistants. You leave all
        workspaces. It can't be undone.
      </p>
      <TextField name="password" label="Current password" type="password" autoComplete="current-password" autoFocus />
    </FormDialog>
  );
}
