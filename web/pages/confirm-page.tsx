import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import type { z } from "zod";
import { authEndpoints, verifyInput } from "#contract/auth.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { paths } from "../lib/paths.ts";
import { Button, ButtonLink } from "../components/button.tsx";
import { FormError } from "../components/form-error.tsx";
import { NarrowPage } from "../components/narrow-page.tsx";
import { afterConfirming } from "../features/invitations/after-confirming.ts";
import { ApiError, call } from "../lib/api-client.ts";
import { forgetReads } from "../lib/forget-reads.ts";

type LinkType = z.infer<typeof verifyInput>["type"];

/** What a mailed link is for, in the words of its page; and where it leads. */
const purposes: Record<LinkType, { title: string; text: string; button: string; to: string }> = {
  signup: {
    title: "Confirm your email address",
    text: "One click, and your account is ready.",
    button: "Confirm and continue",
    to: paths.onboarding,
  },
  invite: {
    title: "Accept your invitation",
    text: "One click, and your account is ready.",
    button: "Confirm and continue",
    to: paths.workspaces,
  },
  email: { title: "Sign in by email", text: "This link signs you in on this device.", button: "Sign In", to: paths.workspaces },
  magiclink: { title: "Sign in by email", text: "This link signs you in on this device.", button: "Sign In", to: paths.workspaces },
  recovery: {
    title: "Choose a new password",
    text: "This link lets you in once, to set a new password.",
    button: "Continue",
    to: paths.newPassword,
  },
  email_change: {
    title: "Confirm your new email address",
    text: "From then on you sign in with it.",
    button: "Confirm",
    to: paths.workspaces,
  },
};

/** Where links in mails lead. Only its button spends the link: a mail scanner that opens the address spends nothing. */
export function Component() {
  const [query] = useSearchParams();
  const link = verifyInput.safeParse(Object.fromEntries(query));
  return link.success ? <Confirm link={link.data} /> : <Spent message={errorCatalogue.link_invalid.sentence} />;
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
      const { user, choosePassword } = await call(authEndpoints.verify, { body: link });
      if (user === null) return setIsHalf(true);
      await forgetReads();
      if (choosePassword && link.type !== "recovery") await navigate(paths.newPassword, { replace: true, state: { isFirst: true } });
      else await navigate(link.type === "signup" ? await afterConfirming() : to, { replace: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefused(error);
      setBusy(false);
    }
  }

  if (isHalf) return <HalfConfirmed />;
  if (refused?.code === "link_invalid") return <Spent message={refused.message} />;
  return (
    <NarrowPage title={title} text={text}>
      {refused && <FormError message={refused.message} />}
      <Button variant="primary" wide busy={busy} onClick={() => void confirm()}>
        {button}
      </Button>
    </NarrowPage>
  );
}

/** Of a change of address, where both have to be confirmed. */
function HalfConfirmed() {
  return (
    <NarrowPage
      title="One more link"
      text="This address is confirmed. We have sent a link to your other address, too: open it, and the change is done."
    >
      <ButtonLink to={paths.workspaces} variant="primary" wide>
        Continue
      </ButtonLink>
    </NarrowPage>
  );
}

function Spent({ message }: { message: string }) {
  return (
    <NarrowPage title="This link does not work" text={`${message} If you have confirmed your address already, just sign in.`}>
      <ButtonLink to={paths.auth({ type: "signin" })} variant="primary" wide>
        Go to Sign In
      </ButtonLink>
      <ButtonLink to={paths.auth({ type: "signup" })} variant="quiet" wide>
        Create a new account
      </ButtonLink>
    </NarrowPage>
  );
}
