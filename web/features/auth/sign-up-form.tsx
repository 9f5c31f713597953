import type { z } from "zod";
import { useFormState } from "react-final-form";
import { authEndpoints, signupInput } from "#contract/auth.ts";
import { line } from "#contract/fields.ts";
import { companyNameMaxLength, passwordMinLength } from "#contract/limits.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { strengthSentence } from "./strength-sentence.ts";
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
      <NewPasswordField />
      <SubmitButton variant="primary" wide>
        Sign up
      </SubmitButton>
    </ContractForm>
  );
}

function NewPasswordField() {
  const { password = "", email } = useFormState<Partial<SignUpInput>>({ subscription: { values: true } }).values;
  return (
    <TextField
      name="password"
      label="Password"
      type="password"
      autoComplete="new-password"
      hint={`At least ${passwordMinLength} characters`}
      status={strengthSentence(password, email)}
    />
  );
}

const invited = signupInput.pick({ email: true, password: true, fullName: true });
const founding = invited.extend({ companyName: line("Company name is required", companyNameMaxLength) });
