import { useEffect, useState } from "react";
import { authEndpoints } from "#contract/auth.ts";
import { Button, ButtonLink, buttonClass } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Icon } from "../../ui/icon.tsx";
import { call, sentenceOf } from "../../lib/api-client.ts";
import { resendPauseMs } from "../../lib/timings.ts";
import { mailProvider } from "./mail-provider.ts";
import { withBotCheck, type BotCheck } from "./use-bot-check.ts";
import { Stack, Text } from "../../ui/layout.tsx";

interface CheckEmailProps {
  email: string;
  signInTo: string;
  botCheck: BotCheck;
  /** Back to the form with its input. */
  onWrongAddress: () => void;
}

/** Same page whether or not the address has an account. */
export function CheckEmail({ email, signInTo, botCheck, onWrongAddress }: CheckEmailProps) {
  const provider = mailProvider(email);
  return (
    <Stack start>
      <p>
        We've sent a confirmation link to <strong>{email}</strong>
      </p>
      <Button variant="link" onClick={onWrongAddress}>
        Wrong email?
      </Button>
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
      <ResendEmail email={email} botCheck={botCheck} />
    </Stack>
  );
}

/** Resends with a pause: an address gets only a few emails an hour. */
function ResendEmail({ email, botCheck }: Pick<CheckEmailProps, "email" | "botCheck">) {
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
        setProblem(sentenceOf(error, "Couldn't resend the email. Please try again later."));
      }
    });
  }

  return (
    <>
      {problem && <FormError message={problem} />}
      <Stack start gap={2}>
        <Text tone="muted">Didn't receive the email? Check your spam folder or try again.</Text>
        <Button
          size="small"
          icon={state === "sent" ? "check" : "send"}
          busy={state === "sending"}
          aria-disabled={state === "ready" ? undefined : true}
          onClick={() => void (state === "ready" && send())}
        >
          {state === "sent" ? "Sent" : "Resend"}
        </Button>
        <Text role="status" tone="muted">
          {everSent && "We've sent a new link. Earlier links no longer work."}
        </Text>
      </Stack>
    </>
  );
}
