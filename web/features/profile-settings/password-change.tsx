import { useState } from "react";
import { signupInput } from "#contract/auth.ts";
import { passwordMinLength } from "#contract/limits.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toasts } from "../../lib/toasts.ts";

const passwordOnly = signupInput.pick({ password: true });

/** `save` throws the reason for a rejection. */
export function PasswordChange({ email, save }: { email: string; save: (password: string) => Promise<void> }) {
  const [changes, setChanges] = useState(0);
  return (
    <details>
      <summary>Change password</summary>
      <ContractForm
        key={changes}
        schema={passwordOnly}
        failure="Couldn't change the password. Please try again later."
        onSubmit={async ({ password }) => {
          await save(password);
          toasts.success("Password changed");
          setChanges(changes + 1); // resets the form
        }}
      >
        {/* Password managers identify the account by this field. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextField
          name="password"
          label="New password"
          hint={`At least ${passwordMinLength} characters.`}
          type="password"
          autoComplete="new-password"
        />
        <SubmitButton>Change password</SubmitButton>
      </ContractForm>
    </details>
  );
}
