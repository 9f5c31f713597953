import type { z } from "zod";
import { useFormState } from "react-final-form";
import { Link } from "react-router-dom";
import { authEndpoints, loginInput } from "#contract/auth.ts";
import { paths } from "../../lib/paths.ts";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import type { ForgottenState } from "./password-forms.tsx";
import { withBotCheck, type BotCheck } from "./use-bot-check.ts";

export type SignInAnswer = z.infer<typeof authEndpoints.login.response>;

interface SignInFormProps {
  email?: string;
  botCheck: BotCheck;
  onSignedIn: (answer: SignInAnswer) => void;
}

export function SignInForm({ email, botCheck, onSignedIn }: SignInFormProps) {
  return (
    <ContractForm
      schema={credentials}
      initialValues={{ email, remember: true }}
      failure="Sign in failed"
      onSubmit={(values) =>
        withBotCheck(botCheck, async (captchaToken) =>
          onSignedIn(await call(authEndpoints.login, { body: { ...values, provider: "email", captchaToken } })),
        )
      }
    >
      <TextField name="email" label="Email" type="email" autoComplete="username" autoFocus />
      <TextField name="password" label="Password" type="password" autoComplete="current-password" aside={<ForgotLink />} />
      <CheckboxField name="remember" label="Remember me" />
      <SubmitButton variant="primary" wide>
        Sign In
      </SubmitButton>
    </ContractForm>
  );
}

/** Passes the email in history state, not in the URL. */
function ForgotLink() {
  const { email } = useFormState<ForgottenState>({ subscription: { values: true } }).values;
  return (
    <Link to={paths.forgotPassword} state={{ email } satisfies ForgottenState}>
      Forgot password?
    </Link>
  );
}

const credentials = loginInput.pick({ email: true, password: true, remember: true });
