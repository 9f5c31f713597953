import { useState } from "react";
import { useHref } from "react-router-dom";
import { authEndpoints, loginInput } from "#contract/auth.ts";
import { paths } from "../../lib/paths.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { BotCheckWidget } from "../auth/bot-check-widget.tsx";
import { useBotCheck, withBotCheck } from "../auth/use-bot-check.ts";
import { CodeForm } from "../second-factor/code-form.tsx";
import { useProfile } from "./profile.ts";
import { useSignOut } from "./use-sign-out.ts";

const passwordOnly = loginInput.pick({ password: true, remember: true });

/** Sign-in over the open page, as the same user; typed text is kept. */
export default function SessionEndedDialog({ onSignedIn }: { onSignedIn: () => void }) {
  const { data: profile } = useProfile();
  const signOut = useSignOut();
  const email = profile?.email ?? "";
  const botCheck = useBotCheck();
  const [secondStep, setSecondStep] = useState(false);
  const signInPage = useHref(paths.auth({ type: "signin" }));

  if (secondStep) {
    return (
      <Dialog open title="Your session has ended">
        <CodeForm onSignedIn={onSignedIn} onSessionEnded={() => setSecondStep(false)} />
      </Dialog>
    );
  }
  return (
    <Dialog open title="Your session has ended">
      <BotCheckWidget check={botCheck} />
      <ContractForm
        schema={passwordOnly}
        initialValues={{ remember: true }}
        failure="Sign in failed"
        onSubmit={(values) =>
          withBotCheck(botCheck, async (captchaToken) => {
            const { second_factor } = await call(authEndpoints.login, { body: { email, ...values, captchaToken } });
            if (second_factor) setSecondStep(true);
            else onSignedIn();
          })
        }
      >
        <p>
          Sign in again as <strong>{email}</strong> to continue. Everything you typed is still here.
        </p>
        {/* Password managers identify the account by this field. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextField name="password" label="Password" type="password" autoComplete="current-password" autoFocus />
        <CheckboxField name="remember" label="Remember me" />
        <SubmitButton variant="primary" wide>
          Sign In
        </SubmitButton>
        <Button variant="quiet" wide onClick={() => signOut()}>
          Use another account
        </Button>
        <p>
          No password?{" "}
          <a href={signInPage} target="_blank" rel="noreferrer">
            Sign in in another tab
          </a>
          , then come back to this tab.
        </p>
      </ContractForm>
    </Dialog>
  );
}
