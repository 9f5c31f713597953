import { useState } from "react";
import { profileEndpoints } from "#contract/profile.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { NewPasswordField } from "../auth/new-password-field.tsx";
import { toasts } from "../../lib/toasts.ts";

/** `save` throws the reason for a rejection. */
export function PasswordChange({ email, save }: { email: string; save: (password: string, currentPassword: string) => Promise<void> }) {
  const [changes, setChanges] = useState(0);
  return (
    <details>
      <summary>Change password</summary>
      <ContractForm
        key={changes}
        schema={profileEndpoints.changePassword.body!}
        failure="Couldn't change the password. Please try again later."
        onSubmit={async ({ password, currentPassword }) => {
          await save(password, currentPassword);
          toasts.success("Password changed");
          setChanges(changes + 1); // resets the form
        }}
      >
        {/* Password managers identify the account by this field. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextField
          name="currentPassword"
          label="Current password"
          hint="Leave it empty if you have none."
          type="password"
          autoComplete="current-password"
        />
        <NewPasswordField label="New password" email={email} />
        <SubmitButton>Change password</SubmitButton>
      </ContractForm>
    </details>
  );
}
