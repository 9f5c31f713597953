import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import type { z } from "zod";
import { authEndpoints, verifyInput } from "#contract/auth.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { paths } from "../lib/paths.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { FormError } from "../ui/form-error.tsx";
import { NarrowPage } from "../ui/page.tsx";
import { redirectTo } from "../features/auth/after-sign-in.ts";
import { afterConfirming } from "../features/invitations/after-confirming.ts";
import { ApiError, call } from "../lib/api-client.ts";
import { clearCachedReads } from "../lib/clear-cached-reads.ts";

type LinkType = z.infer<typeof verifyInput>["type"];

const purposes: Record<LinkType, { title: string; text: string; button: string; to: string }> = {
  signup: {
    title: "Confirm your email address",
    text: "Confirm to activate your account.",
    button: "Confirm and continue",
    to: paths.onboarding,
  },
  invite: {
    title: "Accept your invitation",
    text: "Confirm to activate your account.",
    button: "Confirm and continue",
    to: paths.workspaces,
  },
  email: { title: "Sign in by email", text: "This link signs you in on this device.", button: "Sign In", to: paths.workspaces },
  magiclink: { title: "Sign in by email", text: "This link signs you in on this device.", button: "Sign In", to: paths.workspaces },
  recovery: {
    title: "Choose a new password",
    text: "Use this one-time link to set a new password.",
    button: "Continue",
    to: paths.newPassword,
  },
  email_change: {
    title: "Confirm your new email address",
    text: "You'll use it to sign in.",
    button: "Confirm",
    to: paths.workspaces,
  },
};

/** Target of email links. Only the button uses the link, so mail scanners that open it do no harm. */
export function Component() {
  const [query] = useSearchParams();
  const link = verifyInput.safeParse(Object.fromEntries(query));
  return link.success ? <Confirm link={link.data} /> : <InvalidLink message={errorCatalogue.link_invalid.sentence} />;
}

function Confirm({ link }: { link: z.infer<typeof verifyInput> }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [isHalf, setIsHalf] = useState(false);
  const [refused, setRefused] = useState<ApiError>();
  const { title, text, button, to } = purposes[link.type];

  async function confirm() {
    setBusy(true);
    try {
      const { user, choosePassword, second_factor } = await call(authEndpoints.verify, { body: link });
      await clearCachedReads();
      if (second_factor) return void (await navigate(paths.secondStep(redirectTo(to)), { replace: true }));
      if (user === null) return setIsHalf(true);
      if (choosePassword && link.type !== "recovery") await navigate(paths.newPassword, { replace: true, state: { isFirst: true } });
      else await navigate(link.type === "signup" ? await afterConfirming() : to, { replace: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefused(error);
      setBusy(false);
    }
  }

  if (isHalf) return <HalfConfirmed />;
  if (refused?.code === "link_invalid") return <InvalidLink message={refused.message} />;
  return (
    <NarrowPage title={title} text={text}>
      {refused && <FormError message={refused.message} />}
      <Button variant="primary" wide busy={busy} onClick={() => void confirm()}>
        {button}
      </Button>
    </NarrowPage>
  );
}

/** For an email change, which both addresses must confirm. */
function HalfConfirmed() {
  return (
    <NarrowPage title="One more link" text="This address is confirmed. To finish, open the link we sent to your other address.">
      <ButtonLink to={paths.workspaces} variant="primary" wide>
        Continue
      </ButtonLink>
    </NarrowPage>
  );
}

function InvalidLink({ message }: { message: string }) {
  return (
    <NarrowPage title="This link doesn't work" text={`${message} If you've already confirmed your email, just sign in.`}>
      <ButtonLink to={paths.auth({ type: "signin" })} variant="primary" wide>
        Go to Sign In
      </ButtonLink>
      <ButtonLink to={paths.auth({ type: "signup" })} variant="quiet" wide>
        Create a new account
      </ButtonLink>
    </NarrowPage>
  );
}
