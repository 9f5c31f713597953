import type { z } from "zod";
import { authEndpoints, signupInput } from "#contract/auth.ts";
import { line } from "#contract/fields.ts";
import { companyNameMaxLength } from "#contract/limits.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { withBotCheck, type BotCheck } from "./use-bot-check.ts";

interface SignUpFormProps {
  /** Invitation token; hides the company field. */
  token?: string;
  /** Earlier input, or the invited email. */
  initialInput?: Partial<SignUpInput>;
  botCheck: BotCheck;
  onSignedUp: (typed: SignUpInput, answer: { confirmed?: true }) => void;
}

export type SignUpInput = z.output<typeof invited> & { companyName?: string };

export function SignUpForm({ token, initialInput, botCheck, onSignedUp }: SignUpFormProps) {
  return (
    <ContractForm
      schema={token ? invited : founding}
      initialValues={initialInput}
      failure="Sign up failed"
      onSubmit={(values) =>
        withBotCheck(botCheck, async (captchaToken) => {
          onSignedUp(values, await call(authEndpoints.signup, { body: { ...values, token, captchaToken } }));
        })
      }
    >
      <TextField name="fullName" label="Full name" autoComplete="name" autoFocus={!initialInput?.fullName} />
      {!token && <TextField name="companyName" label="Company name" autoComplete="organization" />}
      <TextField name="email" label="Email" type="email" autoComplete="username" autoFocus={initialInput?.fullName !== undefined} />
      <NewPasswordField label="Password" />
      <SubmitButton variant="primary" wide>
        Sign up
      </SubmitButton>
    </ContractForm>
  );
}

const invited = signupInput.pick({ email: true, password: true, fullName: true });
const founding = invited.extend({ companyName: line("Company name is required", companyNameMaxLength) });
