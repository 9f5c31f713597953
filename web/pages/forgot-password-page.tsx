import { useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { authEndpoints, loginInput } from "#contract/auth.ts";
import { paths } from "../app/paths.ts";
import { Button } from "../components/button.tsx";
import { ContractForm } from "../components/contract-form.tsx";
import { NarrowPage } from "../components/narrow-page.tsx";
import { TextField } from "../components/text-field.tsx";
import { useBotCheck, withBotCheck } from "../features/auth/state/use-bot-check.ts";
import { call } from "../lib/api-client.ts";
import css from "./password-page.module.css";

const addressOnly = loginInput.pick({ email: true });

/** Asks where to send the link for a new password, and says the same whether the address is known or not. */
export function Component() {
  const [sentTo, setSentTo] = useState<string>();
  const { email } = (useLocation().state ?? {}) as { email?: string };
  const botCheck = useBotCheck();
  const back = <Link to={paths.auth({ type: "signin" })}>Back to sign in</Link>;

  if (sentTo !== undefined) {
    return (
      <NarrowPage title="Check Your Email" text={`If there is an account for ${sentTo}, a link to choose a new password is on its way.`}>
        {back}
      </NarrowPage>
    );
  }
  return (
    <NarrowPage title="Forgot password?" text="Tell us your e-mail address, and we send you a link to choose a new one.">
      <div className={css.form}>
        <ContractForm
          schema={addressOnly}
          initialValues={{ email }}
          failure="The mail could not be sent. Please try again later."
          onSubmit={({ email }) =>
            withBotCheck(botCheck, async (captchaToken) => {
              await call(authEndpoints.reset, { body: { email, captchaToken } });
              setSentTo(email);
            })
          }
        >
          {({ submitting }) => (
            <>
              <TextField name="email" label="Email" type="email" autoComplete="username" autoFocus />
              <Button type="submit" variant="primary" wide busy={submitting}>
                Send the link
              </Button>
            </>
          )}
        </ContractForm>
        <div ref={botCheck.holder} />
      </div>
      {back}
    </NarrowPage>
  );
}
