import { useState } from "react";
import { loginInput } from "#contract/auth.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { Section } from "../../components/section.tsx";
import { TextField } from "../../components/text-field.tsx";
import { changeAccount } from "../../lib/change-account.ts";

const addressOnly = loginInput.pick({ email: true });

/** Another address to sign in with; it counts once it is confirmed. */
export function EmailSection({ email }: { email: string }) {
  const [sentTo, setSentTo] = useState<string>();
  return (
    <Section title="Email" text={`You sign in with ${email}.`}>
      <ContractForm
        schema={addressOnly}
        failure="The mail could not be sent. Please try again later."
        onSubmit={async (values) => {
          await changeEmail(values.email);
          setSentTo(values.email);
        }}
      >
        {({ submitting }) => (
          <>
            <TextField name="email" label="New email address" type="email" autoComplete="email" />
            <div>
              <Button type="submit" busy={submitting}>
                Change the address
              </Button>
            </div>
          </>
        )}
      </ContractForm>
      <p role="status">
        {sentTo && (
          <>
            A confirmation link is on its way. Until you have opened it, you go on signing in with {email}, then with{" "}
            <strong>{sentTo}</strong>.
          </>
        )}
      </p>
    </Section>
  );
}

/** Asks for another email address; it counts once the mailed link was opened. Throws ApiError: why the mail was not sent. */
const changeEmail = (email: string): Promise<void> => changeAccount({ email });
