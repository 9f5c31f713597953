import type { z } from "zod";
import { authEndpoints, signupInput } from "#contract/auth.ts";
import { line } from "#contract/fields.ts";
import { companyNameMaxLength, passwordMinLength } from "#contract/limits.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { TextField } from "../../components/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { withBotCheck, type BotCheck } from "./use-bot-check.ts";

interface SignUpFormProps {
  /** An invitation token: the company is then the inviting one and is not asked for. */
  token?: string;
  /** What was typed before, when somebody comes back to change the address; or the address that an invitation was mailed to. */
  typed?: Partial<Typed>;
  botCheck: BotCheck;
  onSignedUp: (typed: Typed, answer: { confirmed?: true }) => void;
}

/** What was typed into the form. */
export type Typed = z.output<typeof invited> & { companyName?: string };

export function SignUpForm({ token, typed, botCheck, onSignedUp }: SignUpFormProps) {
  return (
    <ContractForm
      schema={token ? invited : founding}
      initialValues={typed}
      failure="Sign up failed"
      onSubmit={(values) =>
        withBotCheck(botCheck, async (captchaToken) => {
          onSignedUp(values, await call(authEndpoints.signup, { body: { ...values, token, captchaToken } }));
        })
      }
    >
      {({ submitting }) => (
        <>
          <TextField name="fullName" label="Full name" autoComplete="name" autoFocus={!typed?.fullName} />
          {!token && <TextField name="companyName" label="Company name" autoComplete="organization" />}
          <TextField name="email" label="Email" type="email" autoComplete="username" autoFocus={typed?.fullName !== undefined} />
          <TextField
            name="password"
            label="Password"
            type="password"
            autoComplete="new-password"
            hint={`At least ${passwordMinLength} characters`}
          />
          <Button type="submit" variant="primary" wide busy={submitting}>
            Sign up
          </Button>
        </>
      )}
    </ContractForm>
  );
}

const invited = signupInput.pick({ email: true, password: true, fullName: true });
const founding = invited.extend({ companyName: line("Company name is required", companyNameMaxLength) });
