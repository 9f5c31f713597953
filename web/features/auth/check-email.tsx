import { useEffect, useState } from "react";
import { authEndpoints } from "#contract/auth.ts";
import { Button, ButtonLink, buttonClass } from "../../components/button.tsx";
import { FormError } from "../../components/form-error.tsx";
import { Icon } from "../../components/icon.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { resendPauseMs } from "../../lib/timings.ts";
import { mailProvider } from "./mail-provider.ts";
import { withBotCheck, type BotCheck } from "./use-bot-check.ts";
import css from "./auth-form.module.css";

interface CheckEmailProps {
  email: string;
  signInTo: string;
  botCheck: BotCheck;
  /** Back to the form, with everything that was typed there. */
  onWrongAddress: () => void;
}

/** After signing up; the same whether the address was known or not. */
export function CheckEmail({ email, signInTo, botCheck, onWrongAddress }: CheckEmailProps) {
  const provider = mailProvider(email);
  return (
    <div className={css.confirmation}>
      <p>
        We've sent a confirmation link to <strong>{email}</strong>
      </p>
      <p className={css.wrong}>
        <button type="button" onClick={onWrongAddress}>
          Wrong address?
        </button>
      </p>
      {provider && (
        <a href={provider.inbox} target="_blank" rel="noreferrer" className={buttonClass({ variant: "primary", wide: true })}>
          Open {provider.name}
          <Icon name="external-link" />
          <span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      )}
      <ButtonLink to={signInTo} state={{ email }} variant={provider ? "secondary" : "primary"} wide>
        Sign In
      </ButtonLink>
      <SendAgain email={email} botCheck={botCheck} />
    </div>
  );
}

/** Another mail for whoever got none; with a pause after each, because one address gets only a few in an hour. */
function SendAgain({ email, botCheck }: Pick<CheckEmailProps, "email" | "botCheck">) {
  const [state, setState] = useState<"ready" | "sending" | "sent">("ready");
  const [everSent, setEverSent] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (state !== "sent") return;
    const timer = setTimeout(() => setState("ready"), resendPauseMs);
    return () => clearTimeout(timer);
  }, [state]);

  async function send() {
    setProblem(undefined);
    await withBotCheck(botCheck, async (captchaToken) => {
      setState("sending");
      try {
        await call(authEndpoints.resend, { body: { email, captchaToken } });
        setEverSent(true);
        setState("sent");
      } catch (error) {
        setState("ready");
        setProblem(error instanceof ApiError ? error.message : "The mail was not sent again. Please try again later.");
      }
    });
  }

  return (
    <>
      {problem && <FormError message={problem} />}
      <div className={css.again}>
        <p className={css.note}>Didn't receive the email? Check your spam folder or try again.</p>
        <Button
          size="small"
          icon={state === "sent" ? "check" : "send"}
          busy={state === "sending"}
          aria-disabled={state === "ready" ? undefined : true}
          onClick={() => void (state === "ready" && send())}
        >
          {state === "sent" ? "Sent" : "Send again"}
        </Button>
        <p role="status" className={css.note}>
          {everSent && "Another link is on its way. Only the newest one works."}
        </p>
      </div>
    </>
  );
}
