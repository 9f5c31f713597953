import { useState } from "react";
import { Link } from "react-router-dom";
import { authEndpoints, email as emailField } from "#contract/auth.ts";
import { paths } from "../lib/paths.ts";
import { NarrowPage } from "../ui/page.tsx";
import { BotCheckWidget } from "../features/auth/bot-check-widget.tsx";
import { ForgottenPasswordForm } from "../features/auth/password-forms.tsx";
import { PasswordForm } from "../features/auth/password-form.tsx";
import { useAuthClient } from "../features/auth/use-auth-client.ts";
import { useBotCheck, withBotCheck } from "../features/auth/use-bot-check.ts";
import { call } from "../lib/api-client.ts";

/** Same response whether or not the address has an account. */
export function Component() {
  const [sentTo, setSentTo] = useState<string>();
  const botCheck = useBotCheck();
  const { client, problem } = useAuthClient({
    async sendResetLink(typed) {
      const email = emailField.parse(typed);
      await withBotCheck(botCheck, async (captchaToken) => {
        await call(authEndpoints.reset, { body: { email, captchaToken } });
        setSentTo(email);
      });
    },
  });
  const back = <Link to={paths.auth({ type: "signin" })}>Back to sign in</Link>;

  if (sentTo !== undefined) {
    return (
      <NarrowPage title="Check Your Email" text={`If ${sentTo} has an account, we've sent a link to reset its password.`}>
        {back}
      </NarrowPage>
    );
  }
  return (
    <NarrowPage title="Forgot password?" text="Enter your email and we'll send you a link to reset your password.">
      <BotCheckWidget check={botCheck} />
      <PasswordForm problem={problem}>
        <ForgottenPasswordForm client={client} />
      </PasswordForm>
      {back}
    </NarrowPage>
  );
}
