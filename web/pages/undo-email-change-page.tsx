import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { authEndpoints } from "#contract/auth.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { FormError } from "../ui/form-error.tsx";
import { NarrowPage } from "../ui/page.tsx";
import { ApiError, call } from "../lib/api-client.ts";
import { clearCachedReads } from "../lib/clear-cached-reads.ts";
import { paths } from "../lib/paths.ts";

/** Target of links in email change notices. Only the button acts, so mail scanners that open it do no harm. */
export function Component() {
  const token = useSearchParams()[0].get("token");
  const [busy, setBusy] = useState(false);
  const [email, setEmail] = useState<string>();
  const [refused, setRefused] = useState<ApiError>();

  async function undo(token: string) {
    setBusy(true);
    try {
      setEmail((await call(authEndpoints.undoEmailChange, { body: { token } })).email);
      await clearCachedReads(); // this browser may have been signed in
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefused(error);
    } finally {
      setBusy(false);
    }
  }

  if (email !== undefined) return <Undone email={email} />;
  if (!token || refused?.code === "link_invalid") return <InvalidLink />;
  return (
    <NarrowPage
      title="Undo email change"
      text="You'll sign in with your old email again. All devices are signed out, and you'll set a new password."
    >
      {refused && <FormError message={refused.message} />}
      <Button variant="primary" wide busy={busy} onClick={() => void undo(token)}>
        Undo change
      </Button>
    </NarrowPage>
  );
}

function Undone({ email }: { email: string }) {
  return (
    <NarrowPage
      title="Email change undone"
      text={`You sign in with ${email} again. All devices are signed out, and your old password no longer works. Set a new one to sign in.`}
    >
      <ButtonLink to={paths.forgotPassword} variant="primary" wide>
        Choose a new password
      </ButtonLink>
    </NarrowPage>
  );
}

function InvalidLink() {
  return (
    <NarrowPage title="This link doesn't work" text={`${errorCatalogue.link_invalid.sentence} Undo links expire after 7 days.`}>
      <ButtonLink to={paths.auth({ type: "signin" })} variant="primary" wide>
        Go to Sign In
      </ButtonLink>
    </NarrowPage>
  );
}
