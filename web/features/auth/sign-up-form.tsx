import { authEndpoints, signupInput } from "#contract/auth.ts";
import { line } from "#contract/fields.ts";
import { companyNameMaxLength, passwordMinLength } from "#contract/limits.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { TextField } from "../../components/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { withBotCheck, type BotCheck } from "./use-bot-check.ts";
import css from "./auth-form.module.css";

interface SignUpFormProps {
  /** An invitation token: the company is then the inviting one and is not asked for. */
  token?: string;
  botCheck: BotCheck;
  onSignedUp: (email: string) => void;
}

export function SignUpForm({ token, botCheck, onSignedUp }: SignUpFormProps) {
  return (
    <ContractForm
      schema={token ? invited : founding}
      failure="Sign up failed"
      onSubmit={(values) =>
        withBotCheck(botCheck, async (captchaToken) => {
          await call(authEndpoints.signup, { body: { ...values, token, captchaToken } });
          onSignedUp(values.email);
        })
      }
    >
      {({ submitting }) => (
        <>
          <TextField name="fullName" label="Full name" autoComplete="name" autoFocus />
          {!token && <TextField name="companyName" label="Company name" autoComplete="organization" />}
          <TextField name="email" label="Email" type="email" autoComplete="username" />
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

/** After signing up; the same whether the address was known or not. */
export function CheckEmail({ email, signInTo }: { email: string; signInTo: string }) {
  return (
    <div className={css.confirmation}>
      <p>
        We've sent a confirmation link to <strong>{email}</strong>
      </p>
      <ButtonLink to={signInTo} state={{ email }} variant="primary" wide>
        Sign In
      </ButtonLink>
      <p className={css.note}>Didn't receive the email? Check your spam folder or try again.</p>
    </div>
  );
}
