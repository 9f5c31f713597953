import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { authEndpoints } from "#contract/auth.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { Button, ButtonLink } from "../components/button.tsx";
import { FormError } from "../components/form-error.tsx";
import { NarrowPage } from "../components/narrow-page.tsx";
import { ApiError, call } from "../lib/api-client.ts";
import { forgetReads } from "../lib/forget-reads.ts";
import { paths } from "../lib/paths.ts";

/** Where the mails about a change of address link to. Only the button acts: a mail scanner that opens the address changes nothing. */
export function Component() {
  const token = useSearchParams()[0].get("token");
  const [busy, setBusy] = useState(false);
  const [email, setEmail] = useState<string>();
  const [refused, setRefused] = useState<ApiError>();

  async function undo(token: string) {
    setBusy(true);
    try {
      setEmail((await call(authEndpoints.undoEmailChange, { body: { token } })).email);
      await forgetReads(); // this browser may have been signed in
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefused(error);
    } finally {
      setBusy(false);
    }
  }

  if (email !== undefined) return <Undone email={email} />;
  if (!token || refused?.code === "link_invalid") return <Spent />;
  return (
    <NarrowPage
      title="Undo the change of your email address"
      text="You sign in with your old address again. Every device is signed out, and you choose a new password."
    >
      {refused && <FormError message={refused.message} />}
      <Button variant="primary" wide busy={busy} onClick={() => void undo(token)}>
        Undo the change
      </Button>
    </NarrowPage>
  );
}

function Undone({ email }: { email: string }) {
  return (
    <NarrowPage
      title="The change is undone"
      text={`You sign in with ${email} again. Every device is signed out, and the old password no longer works. Choose a new one to sign in.`}
    >
      <ButtonLink to={paths.forgotPassword} variant="primary" wide>
        Choose a new password
      </ButtonLink>
    </NarrowPage>
  );
}

function Spent() {
  return (
    <NarrowPage
      title="This link does not work"
      text={`${errorCatalogue.link_invalid.sentence} Links to undo a change work for seven days.`}
    >
      <ButtonLink to={paths.auth({ type: "signin" })} variant="primary" wide>
        Go to Sign In
      </ButtonLink>
    </NarrowPage>
  );
}
