import { useState } from "react";
import { changeEmailInput, profileEndpoints } from "#contract/profile.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";

/** Takes effect once confirmed. */
export function EmailChange({ email }: { email: string }) {
  const [sentTo, setSentTo] = useState<string>();
  return (
    <details>
      <summary>Change email</summary>
      <ContractForm
        key={sentTo}
        schema={changeEmailInput}
        failure="Couldn't send the confirmation link. Please try again later."
        onSubmit={async (values) => {
          await call(profileEndpoints.changeEmail, { body: values });
          setSentTo(values.email);
        }}
      >
        <TextField name="email" label="New email address" type="email" autoComplete="email" />
        <TextField name="password" label="Current password" type="password" autoComplete="current-password" />
        <SubmitButton>Change email</SubmitButton>
      </ContractForm>
      <p role="status">
        {sentTo && (
          <>
            We've sent a confirmation link to <strong>{sentTo}</strong>. Until you open it, you sign in with {email}. We also notify {email}
            , where you can undo the change for 7 days.
          </>
        )}
      </p>
    </details>
  );
}
